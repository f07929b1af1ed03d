import { changesOf } from '@gradeway/shared/audit/changesOf';
import type { Principal } from '@gradeway/shared/auth/accessToken';
import { inTransaction } from '@gradeway/shared/database/connection';
import { AppError, notFound } from '@gradeway/shared/errors/appError';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../../dependencies.ts';
import {
  type ReauthenticationDependencies,
  requireReauthentication,
} from '../../domain/requireReauthentication.ts';
import { serviceAccountChanged } from '../../events/userEvents.ts';
import type { IssuedToken } from './apiToken.ts';
import { type IssueDependencies, issueToken } from './issueToken.ts';
import { endsTokens, type ServiceAccount, type ServiceAccountProperties } from './serviceAccount.ts';

type Dependencies = IssueDependencies &
  ReauthenticationDependencies &
  Pick<ServiceDependencies, 'sequelize' | 'serviceAccounts' | 'outbox'>;

type NewAccount = Pick<ServiceAccount, 'name' | 'scopes' | 'courseIds'> & { expiresAt: Date | undefined };
type NewToken = { name: string | undefined; expiresAt: Date | undefined };

const audited = ['name', 'scopes', 'courseIds', 'isDisabled'] as const;

/** Creates a service account and its first token. */
export async function createServiceAccount(
  dependencies: Dependencies,
  { expiresAt, ...properties }: NewAccount,
  administrator: Principal,
): Promise<{ account: ServiceAccount; issued: IssuedToken }> {
  const { sequelize, serviceAccounts } = dependencies;
  await requireReauthentication(dependencies, administrator);
  return inTransaction(sequelize, async (transaction) => {
    const values = { ...properties, isDisabled: false, createdBy: administrator.userId };
    const account = await serviceAccounts.create(values, transaction);
    await publish(dependencies, null, account, transaction);
    const issued = await issueFor(dependencies, account, { name: undefined, expiresAt }, transaction);
    return { account, issued };
  });
}

/** Issues another token. Earlier ones stay valid, so that a system can change to the new one without a gap. */
export async function addToken(
  dependencies: Dependencies,
  id: number,
  wanted: NewToken,
  administrator: Principal,
): Promise<IssuedToken> {
  const { sequelize, serviceAccounts } = dependencies;
  await requireReauthentication(dependencies, administrator);
  return inTransaction(sequelize, async (transaction) => {
    const account = await serviceAccounts.lock(id, transaction);
    if (!account) throw notFound();
    if (account.isDisabled) throw new AppError('conflict', 'Service account disabled');
    return issueFor(dependencies, account, wanted, transaction);
  });
}

/** Changes the given properties. Ends the tokens if they contain or depend on a changed property. */
export async function changeServiceAccount(
  dependencies: Dependencies,
  id: number,
  changes: Partial<ServiceAccountProperties>,
  administrator: Principal,
): Promise<ServiceAccount> {
  const { sequelize, serviceAccounts, apiTokens } = dependencies;
  await requireReauthentication(dependencies, administrator);
  return inTransaction(sequelize, async (transaction) => {
    const before = await serviceAccounts.lock(id, transaction);
    if (!before) throw notFound();
    const after = { ...before, ...changes };
    if (!changesOf<ServiceAccountProperties>(before, after, audited)) return before;
    const changed = await serviceAccounts.update(after, transaction);
    if (endsTokens(before, after)) await apiTokens.endAll({ serviceAccountId: id }, transaction);
    await publish(dependencies, before, changed, transaction);
    return changed;
  });
}

/** Deletes a service account and ends its tokens. Its name stays in gradings and in the audit log. */
export async function deleteServiceAccount(dependencies: Dependencies, id: number): Promise<void> {
  const { sequelize, serviceAccounts, apiTokens, outbox, audit } = dependencies;
  await inTransaction(sequelize, async (transaction) => {
    const before = await serviceAccounts.lock(id, transaction);
    if (!before) throw notFound();
    const deleted = await serviceAccounts.update({ ...before, isDeleted: true }, transaction);
    await apiTokens.endAll({ serviceAccountId: id }, transaction);
    await outbox.add(serviceAccountChanged(deleted), transaction);
    const object = { type: 'service_account', id } as const;
    await audit.record({ action: 'service_account.deleted', object }, transaction);
  });
}

async function publish(
  { outbox, audit }: Dependencies,
  before: ServiceAccount | null,
  after: ServiceAccount,
  transaction: Transaction,
): Promise<void> {
  const action = before ? 'service_account.updated' : 'service_account.created';
  const changes = changesOf<ServiceAccountProperties>(before, after, audited);
  await outbox.add(serviceAccountChanged(after), transaction);
  await audit.record({ action, object: { type: 'service_account', id: after.id }, changes }, transaction);
}

function issueFor(
  dependencies: IssueDependencies,
  { id, name: accountName, scopes, courseIds }: ServiceAccount,
  { name = accountName, expiresAt }: NewToken,
  transaction: Transaction,
): Promise<IssuedToken> {
  const wanted = { name, scopes, courseIds, expiresAt, role: 'admin' } as const;
  return issueToken(dependencies, { serviceAccountId: id }, wanted, transaction);
}

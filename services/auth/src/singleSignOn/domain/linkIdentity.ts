import { inTransaction } from '@gradeway/shared/database/connection';
import { isUniqueViolation } from '@gradeway/shared/database/errors';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { User } from '../../domain/user.ts';
import type { ConfirmedPerson } from '../clients/oidcProvider.ts';
import type { ConfirmedIdentity } from './identity.ts';
import { SignInRefused } from './signInRefusal.ts';
import { toRefusal } from './startSignIn.ts';

type Dependencies = Pick<ServiceDependencies, 'sequelize' | 'users' | 'sessions' | 'identities' | 'audit'>;

interface Session {
  userId: number;
  sessionId: number;
}

/**
 * Links an identity to the account of a session, which must still be open. Linking it again changes nothing.
 * @throws SignInRefused `taken` if it belongs to another account
 */
export async function linkIdentity(
  { sequelize, users, sessions, identities, audit }: Dependencies,
  { userId, sessionId }: Session,
  { identity, readClaims }: ConfirmedPerson,
): Promise<void> {
  const { email } = await readClaims().catch((error) => {
    throw toRefusal(error, 'failed');
  });
  const link = async (transaction: Transaction) => {
    const user = await users.lock(userId, transaction);
    const session = await sessions.lock(sessionId, transaction);
    if (!user || session?.userId !== userId) throw new SignInRefused('failed');
    const owner = await identities.findUserId(identity, transaction);
    if (owner !== undefined && owner !== userId) throw new SignInRefused('taken');
    if (owner === userId) return;
    await identities.add(userId, identity, email, transaction);
    await auditLinkedIdentity({ audit }, user, identity, transaction, sessionId);
  };
  await inTransaction(sequelize, link).catch((error) => {
    throw isUniqueViolation(error, 'identities_subject') ? new SignInRefused('taken', error) : error;
  });
}

/** Omits the subject, which some providers set to an email address. */
export function auditLinkedIdentity(
  { audit }: Pick<Dependencies, 'audit'>,
  { id: userId, role }: Pick<User, 'id' | 'role'>,
  { provider }: ConfirmedIdentity,
  transaction: Transaction,
  sessionId: number | null = null,
): Promise<void> {
  return audit.record(
    {
      action: 'identity.linked',
      actor: { userId, sessionId, role },
      object: { type: 'user', id: userId },
      changes: { provider: [null, provider] },
    },
    transaction,
  );
}

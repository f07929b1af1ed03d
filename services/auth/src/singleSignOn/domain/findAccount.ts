import { inTransaction } from '@gradeway/shared/database/connection';
import { isUniqueViolation } from '@gradeway/shared/database/errors';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../../dependencies.ts';
import { auditNewUser } from '../../domain/auditUser.ts';
import { requireLoginAllowed } from '../../domain/loginErrors.ts';
import { parseLoginIdentifier } from '../../domain/loginIdentifier.ts';
import { hasUnprovenAddress, type User } from '../../domain/user.ts';
import { userChanged } from '../../events/userEvents.ts';
import type { ConfirmedPerson } from '../clients/oidcProvider.ts';
import type { ProviderSettings } from '../config.ts';
import type { ConfirmedIdentity, PersonClaims } from './identity.ts';
import { auditLinkedIdentity } from './linkIdentity.ts';
import { mailDomain } from './mailDomain.ts';
import { SignInRefused } from './signInRefusal.ts';
import { toRefusal } from './startSignIn.ts';

type Dependencies = Pick<
  ServiceDependencies,
  'sequelize' | 'users' | 'identities' | 'passwordHasher' | 'outbox' | 'audit'
>;

const maxAttempts = 3;

/**
 * Returns the account of an identity. At the first sign-in, links the account with the same address, or creates one, if
 * the provider's settings allow it.
 * @throws SignInRefused
 */
export async function findAccount(
  dependencies: Dependencies,
  settings: ProviderSettings,
  { identity, readClaims }: ConfirmedPerson,
): Promise<number> {
  const known = await dependencies.identities.findUserId(identity);
  if (known !== undefined) return known;
  const claims = await readClaims().catch((error) => {
    throw toRefusal(error, 'failed');
  });
  for (let attempt = 1; ; attempt += 1)
    try {
      return await linkFirst(dependencies, settings, identity, claims);
    } catch (error) {
      // If another sign-in of the same person, or an administrator, was faster, look again.
      if (attempt === maxAttempts || !isTaken(error)) throw error;
    }
}

const isTaken = (error: unknown): boolean =>
  isUniqueViolation(error, 'identities_subject') || isUniqueViolation(error, 'users_email');

async function linkFirst(
  dependencies: Dependencies,
  settings: ProviderSettings,
  identity: ConfirmedIdentity,
  claims: PersonClaims,
): Promise<number> {
  const { sequelize, users, identities } = dependencies;
  const known = await identities.findUserId(identity);
  if (known !== undefined) return known;
  const { email } = claims;
  const account = email === null ? undefined : await users.findByIdentifier(parseLoginIdentifier(email));
  if (!account && (email === null || !settings.create)) throw new SignInRefused('no_account');
  return inTransaction(sequelize, async (transaction) => {
    const user = account
      ? await lockLinkable(dependencies, settings, claims, account, transaction)
      : await createAccount(dependencies, claims, transaction);
    await identities.add(user.id, identity, email, transaction);
    await auditLinkedIdentity(dependencies, user, identity, transaction);
    return user.id;
  });
}

async function lockLinkable(
  { users }: Dependencies,
  settings: ProviderSettings,
  claims: PersonClaims,
  { id }: User,
  transaction: Transaction,
): Promise<User> {
  const user = await users.lock(id, transaction);
  if (!user || !mayLinkByAddress(settings, claims, user)) throw new SignInRefused('no_account');
  requireLoginAllowed(user);
  return user;
}

/**
 * Whether an address proves that a person owns an account: the provider has verified it, is responsible for its domain,
 * and the account is neither an administrator's nor that of somebody who only claimed the address. Administrators link
 * identities while logged in.
 */
function mayLinkByAddress(
  { domains }: Pick<ProviderSettings, 'domains'>,
  { email, isEmailVerified }: Pick<PersonClaims, 'email' | 'isEmailVerified'>,
  account: Pick<User, 'email' | 'role' | 'isVerified' | 'isSelfRegistered'>,
): boolean {
  if (email === null || !isEmailVerified || account.role === 'admin' || hasUnprovenAddress(account))
    return false;
  return domains.includes(mailDomain(email)) && email.toLowerCase() === account.email?.toLowerCase();
}

async function createAccount(
  { users, passwordHasher, outbox, audit }: Dependencies,
  { firstName, lastName, email, isEmailVerified, role }: PersonClaims,
  transaction: Transaction,
): Promise<User> {
  const properties = {
    ...{ firstName, lastName, email, mobile: null, role },
    isApproved: true,
    isBlocked: false,
    isVerified: isEmailVerified,
    isVerifiedMobile: false,
  };
  // The account has no usable password: this one is random and unknown.
  const passwordHash = passwordHasher.unknownPasswordHash;
  const user = await users.create({ ...properties, passwordHash, isSelfRegistered: true }, transaction);
  await outbox.add(userChanged(user), transaction);
  await auditNewUser(audit, user, transaction);
  return user;
}

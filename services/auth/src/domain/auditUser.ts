import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { changesOf } from '@gradeway/shared/audit/changesOf';
import type { Transaction } from 'sequelize';
import type { User } from './user.ts';

// Everything an administrator can set, except the password.
const audited = [
  'firstName',
  'lastName',
  'email',
  'mobile',
  'role',
  'isApproved',
  'isBlocked',
  'isVerified',
  'isVerifiedMobile',
] as const;

const objectOf = ({ id }: User) => ({ type: 'user' as const, id });

export async function auditNewUser(audit: AuditTrail, user: User, transaction: Transaction): Promise<void> {
  const changes = changesOf<User>(null, user, audited);
  await audit.record({ action: 'user.created', object: objectOf(user), changes }, transaction);
}

/** A new password gets its own entry, without changes. */
export async function auditUserChange(
  audit: AuditTrail,
  before: User,
  after: User,
  transaction: Transaction,
): Promise<void> {
  const changes = changesOf(before, after, audited);
  const object = objectOf(after);
  if (changes) await audit.record({ action: 'user.updated', object, changes }, transaction);
  if (before.passwordHash !== after.passwordHash)
    await audit.record({ action: 'password.changed', object }, transaction);
}

import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import { normalizeEmail } from '../domain/loginIdentifier.ts';
import { hasUnprovenAddress } from '../domain/user.ts';
import type { RpcDependencies } from './dependencies.ts';
import { requireBatchLimit } from './requireBatchLimit.ts';
import { serializeUser } from './serializeUser.ts';

/** Finds accounts by email address. Omits addresses that no account has, or whose owner is unproven. */
export const findUsers =
  ({ users }: RpcDependencies): Rpcs<AuthServiceHandlers>['FindUsers'] =>
  async ({ emails }) => {
    requireBatchLimit('emails', emails, 500);
    const found = await users.findByEmails(emails.map((email) => normalizeEmail(email).toLowerCase()));
    return { users: found.filter((user) => !hasUnprovenAddress(user)).map(serializeUser) };
  };

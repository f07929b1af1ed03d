import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import { publishedState } from '../apiTokens/domain/publishedState.ts';
import type { RpcDependencies } from './dependencies.ts';
import { requireBatchLimit } from './requireBatchLimit.ts';
import { serializeUser } from './serializeUser.ts';

/** Finds accounts and service accounts by id. Omits unknown accounts and deleted people. */
export const getUsers =
  ({ users, serviceAccounts }: RpcDependencies): Rpcs<AuthServiceHandlers>['GetUsers'] =>
  async ({ userIds }) => {
    requireBatchLimit('user_ids', userIds, 1_000);
    const found = await users.findMany(userIds);
    const people = new Set(found.map(({ id }) => id));
    const others = userIds.filter((id) => !people.has(id));
    const accounts = others.length > 0 ? await serviceAccounts.findMany(others) : [];
    return { users: [...found, ...accounts.map(publishedState)].map(serializeUser) };
  };

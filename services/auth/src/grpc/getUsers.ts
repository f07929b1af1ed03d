import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';
import { requireBatchLimit } from './requireBatchLimit.ts';
import { serializeUser } from './serializeUser.ts';

/** Finds accounts by id. Omits unknown and deleted ones. */
export const getUsers =
  ({ users }: RpcDependencies): Rpcs<AuthServiceHandlers>['GetUsers'] =>
  async ({ userIds }) => {
    requireBatchLimit('user_ids', userIds, 1_000);
    return { users: (await users.findMany(userIds)).map(serializeUser) };
  };

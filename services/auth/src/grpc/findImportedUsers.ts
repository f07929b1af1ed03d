import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';
import { requireBatchLimit } from './requireBatchLimit.ts';
import { serializeUser } from './serializeUser.ts';

/** Finds accounts by the sourcedIds of earlier imports. Omits unknown and deleted ones. */
export const findImportedUsers =
  ({ imports }: RpcDependencies): Rpcs<AuthServiceHandlers>['FindImportedUsers'] =>
  async ({ sourcedIds }) => {
    requireBatchLimit('sourced_ids', sourcedIds, 1_000);
    const users = await imports.findBySourcedIds(sourcedIds);
    return { users: users.map((user) => ({ sourcedId: user.sourcedId, account: serializeUser(user) })) };
  };

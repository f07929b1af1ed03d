import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';
import { requireBatchLimit } from './requireBatchLimit.ts';

/** Records when tokens for programs were used. Ignores tokens that have ended. */
export const recordTokenUse =
  ({ apiTokens }: RpcDependencies): Rpcs<AuthServiceHandlers>['RecordTokenUse'] =>
  async ({ uses }) => {
    requireBatchLimit('uses', uses, 1_000);
    await apiTokens.recordUses(
      uses.map(({ tokenId, usedAt }) => ({ tokenId, usedAt: new Date(Number(usedAt?.seconds ?? 0) * 1000) })),
    );
    return {};
  };

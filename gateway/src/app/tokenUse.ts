import type { AuthServiceClient } from '@gradeway/proto/auth';
import type { Principal } from '@gradeway/shared/auth/accessToken';
import type { GrpcClient } from '@gradeway/shared/grpc/client';
import type { Logger } from '@gradeway/shared/process/logger';
import { runEvery } from '@gradeway/shared/process/runEvery';

/** Reports the use of tokens for programs to auth, which shows when each was last used. */
export interface TokenUse {
  record(principal: Principal): void;
  close(): Promise<void>;
}

interface Options {
  auth: Pick<GrpcClient<AuthServiceClient>, 'call'>;
  log: Logger;
  /** How often uses are sent, in milliseconds. */
  everyMs?: number;
}

// Auth shows the time to the nearest five minutes.
const repeatAfterMs = 240_000;
const batchSize = 1_000;

/**
 * Collects uses and sends them in batches, each token at most once every four minutes, so that requests do not wait for
 * auth and do not each cost it a write. Uses that could not be sent are sent later, with their original times.
 */
export function createTokenUse({ auth, log, everyMs = 1_000 }: Options): TokenUse {
  /** The time of the last recorded use, by token. */
  const recorded = new Map<string, number>();
  const pending = new Map<string, number>();

  async function send(): Promise<void> {
    const now = Date.now();
    for (const [tokenId, at] of recorded) if (at + repeatAfterMs <= now) recorded.delete(tokenId);
    const batch = [...pending].slice(0, batchSize);
    if (batch.length === 0) return;
    await auth.call('recordTokenUse', {
      uses: batch.map(([tokenId, at]) => ({
        tokenId,
        usedAt: { seconds: Math.floor(at / 1000), nanos: 0 },
      })),
    });
    for (const [tokenId, at] of batch) if (pending.get(tokenId) === at) pending.delete(tokenId);
  }

  const failureMessage = 'could not report the use of tokens; will retry';
  const stop = runEvery({ everyMs, task: send, log, failureMessage });
  return {
    record({ kind, tokenId }) {
      const now = Date.now();
      if (kind === 'session' || now < (recorded.get(tokenId) ?? 0) + repeatAfterMs) return;
      recorded.set(tokenId, now);
      pending.set(tokenId, now);
    },
    async close() {
      await stop();
      await send().catch((error) => log.warn({ err: error }, failureMessage));
    },
  };
}

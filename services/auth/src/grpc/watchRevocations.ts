import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';
import { serializeRevocation } from './listRevocations.ts';

/** Sends the list of revocations, then new entries as they are added. */
export const watchRevocations = ({
  revocationFeed,
}: RpcDependencies): Rpcs<AuthServiceHandlers>['WatchRevocations'] =>
  async function* ({ cursor }, signal) {
    const receivedAt = performance.now();
    for await (const { page, readAt } of revocationFeed.watch(cursor, signal))
      yield {
        ...page,
        revocations: page.revocations.map(serializeRevocation),
        // Rounded down: the list must not appear newer than it is.
        elapsedMs: Math.floor(readAt - receivedAt),
      };
  };

import type { AuthServiceClient, Revocation } from '@gradeway/proto/auth';
import type { GrpcClient } from '../grpc/client.ts';
import { measureCacheAge } from '../metrics/cacheAge.ts';
import type { Logger } from '../process/logger.ts';
import type { Revocations } from './accessToken.ts';

export interface FollowedRevocations extends Revocations {
  /** True once the whole list was fetched. */
  loaded(): boolean;
  /** Asks for what is new at once: somebody has just been told that there is something. */
  refresh(): void;
  close(): void;
}

/**
 * Keeps the list of sessions and tokens that auth has ended (D13): all of it at the start, then what is new
 * every `intervalMs`. Asking works whatever becomes of the broker, so an ended session is refused everywhere
 * within `intervalMs` and a call; the event `session.revoked.v1` only makes it sooner.
 */
export function followRevocations(
  auth: GrpcClient<AuthServiceClient>,
  log: Logger,
  intervalMs = 1_000,
): FollowedRevocations {
  const sessions = new Map<number, number>();
  const tokens = new Map<string, number>();
  const cacheAge = measureCacheAge('revocations');
  let cursor = '';
  let loaded = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;

  async function fetchNew(): Promise<void> {
    let more = true;
    while (more && !closed) {
      const answer = await auth.call('listRevocations', { cursor }, { timeoutMs: 1_000 });
      for (const revocation of answer.revocations) remember(revocation);
      ({ cursor, more } = answer);
    }
    loaded = true;
    cacheAge.renewed();
  }

  function remember(revocation: Revocation): void {
    const expiresAt = Number(revocation.expiresAt?.seconds ?? 0) * 1000;
    if (revocation.sessionId !== undefined) sessions.set(revocation.sessionId, expiresAt);
    if (revocation.tokenId !== undefined) tokens.set(revocation.tokenId, expiresAt);
  }

  function forgetExpired(): void {
    const now = Date.now();
    for (const [id, expiresAt] of sessions) if (expiresAt < now) sessions.delete(id);
    for (const [id, expiresAt] of tokens) if (expiresAt < now) tokens.delete(id);
  }

  function refresh(): void {
    if (closed) return;
    if (running) {
      again = true;
      return;
    }
    clearTimeout(timer);
    let pause = intervalMs;
    running = fetchNew()
      .catch((error) => {
        log.warn({ err: error }, 'could not ask auth for revocations');
        pause = Math.min(pause, 1_000);
      })
      .finally(() => {
        running = undefined;
        timer = setTimeout(refresh, again ? 0 : pause);
        timer.unref();
        again = false;
      });
  }

  refresh();
  const sweep = setInterval(forgetExpired, 60_000);
  sweep.unref();

  return {
    isRevoked: ({ sessionId, tokenId }) => sessions.has(sessionId) || tokens.has(tokenId),
    loaded: () => loaded,
    refresh,
    close() {
      closed = true;
      cacheAge.close();
      clearTimeout(timer);
      clearInterval(sweep);
    },
  };
}

import type { AuthServiceClient, Revocation } from '@gradeway/proto/auth';
import type { GrpcClient } from '../grpc/client.ts';
import { measureCacheAge } from '../metrics/cacheAge.ts';
import type { Logger } from '../process/logger.ts';
import { startPolling } from '../process/polling.ts';
import { runEvery } from '../process/runEvery.ts';
import type { RevocationCheck } from './accessToken.ts';

export interface RevocationList extends RevocationCheck {
  /** True once the whole list has been fetched. */
  loaded(): boolean;
  /** Fetches new entries now instead of at the next interval. */
  refresh(): void;
  close(): Promise<void>;
}

/**
 * Caches auth's list of revoked sessions, tokens and signing keys (D13): the whole list at the start, then new entries every
 * `intervalMs`. Polling does not depend on the broker, so every process rejects a revoked session within `intervalMs`
 * plus one call; the event `session.revoked.v1` only shortens this. `onKeyRevoked` is called for each revoked key.
 */
export function followRevocations(
  auth: GrpcClient<AuthServiceClient>,
  log: Logger,
  intervalMs = 1_000,
  onKeyRevoked: () => void = () => {},
): RevocationList {
  /** Expiry by id, in milliseconds since the epoch. */
  const sessions = new Map<number, number>();
  const tokens = new Map<string, number>();
  // Never deleted: this process may have cached tokens that such a key has signed with any expiry.
  const keys = new Set<string>();
  const cacheAge = measureCacheAge('revocations');
  let cursor = '';
  let loaded = false;

  async function fetchPage(): Promise<boolean> {
    const page = await auth.call('listRevocations', { cursor }, { timeoutMs: 1_000 });
    for (const revocation of page.revocations) add(revocation);
    cursor = page.cursor;
    if (!page.more) {
      loaded = true;
      cacheAge.refreshed();
    }
    return page.more;
  }

  function add(revocation: Revocation): void {
    const expiresAt = Number(revocation.expiresAt?.seconds ?? 0) * 1000;
    if (revocation.sessionId !== undefined) sessions.set(revocation.sessionId, expiresAt);
    if (revocation.tokenId !== undefined) tokens.set(revocation.tokenId, expiresAt);
    if (revocation.keyId !== undefined && !keys.has(revocation.keyId)) {
      keys.add(revocation.keyId);
      onKeyRevoked();
    }
  }

  function deleteExpired(): void {
    const now = Date.now();
    for (const [id, expiresAt] of sessions) if (expiresAt < now) sessions.delete(id);
    for (const [id, expiresAt] of tokens) if (expiresAt < now) tokens.delete(id);
  }

  const polling = startPolling({
    round: fetchPage,
    onFailure: (error) => log.warn({ err: error }, 'could not fetch revocations; retrying'),
    intervalMs,
    // Longer pauses would break the two seconds of D13.
    maxBackoffMs: 1_000,
  });
  const stopDeleting = runEvery({
    everyMs: 60_000,
    task: deleteExpired,
    log,
    failureMessage: 'could not delete expired revocations',
  });

  return {
    isRevoked: ({ sessionId, tokenId, keyId = '' }) =>
      sessions.has(sessionId) || tokens.has(tokenId) || keys.has(keyId),
    loaded: () => loaded,
    refresh: polling.wake,
    async close() {
      cacheAge.close();
      await Promise.all([polling.stop(), stopDeleting()]);
    },
  };
}

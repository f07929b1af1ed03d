import type { AuthServiceClient, Revocation } from '@gradeway/proto/auth';
import type { GrpcClient } from '../grpc/client.ts';
import type { GrpcStreamClient } from '../grpc/streamClient.ts';
import type { Logger } from '../process/logger.ts';
import { outageLevel } from '../process/outageLevel.ts';
import { startPolling } from '../process/polling.ts';
import { runEvery } from '../process/runEvery.ts';
import type { RevocationCheck } from './accessToken.ts';
import { measureCacheAge } from './cacheMetrics.ts';
import { ExpiryClock } from './expiryClock.ts';
import { openRevocationStream } from './revocationStream.ts';

export interface RevocationList extends RevocationCheck {
  /** True once the whole list has been fetched. */
  loaded(): boolean;
  /** Fetches new entries now instead of at the next interval. */
  refresh(): void;
  close(): Promise<void>;
}

interface Options {
  auth: GrpcClient<AuthServiceClient>;
  /** Streams new entries. Without it, they are polled. */
  stream?: GrpcStreamClient<AuthServiceClient>;
  log: Logger;
  /** How often auth sends new entries, and how often to poll while it does not, in milliseconds. */
  intervalMs?: number;
  /** How often expired entries are deleted, in milliseconds. */
  deleteEveryMs?: number;
  /** Called for each revoked key. */
  onKeyRevoked?(): void;
}

// The list is polled if a stream message is this much later than the interval. The interval, this tolerance and the
// timeout of that call add up to the two seconds of D13.
const toleranceMs = 250;
const callAfterSilenceMs = 750;

/**
 * Caches auth's list of revoked sessions, tokens and signing keys (D13): the whole list at the start, then new entries
 * every `intervalMs`, from a stream. When the stream ends, or is silent for 250 ms longer than that, a call fetches new
 * entries, and then another every `intervalMs` until the stream is open again. This does not depend on the broker; the
 * event `session.revoked.v1` only shortens the delay. When the wall clock jumps, the whole list is fetched again: going
 * by the previous time, auth may have omitted entries as expired, or this process may have deleted them.
 */
export function followRevocations({
  auth,
  stream,
  log,
  intervalMs = 1_000,
  deleteEveryMs = 60_000,
  onKeyRevoked = () => {},
}: Options): RevocationList {
  /** Expiry by id, in milliseconds since the epoch. */
  const sessions = new Map<number, number>();
  const tokens = new Map<string, number>();
  // Never deleted, because this process may have cached tokens signed with such a key, with any expiry.
  const keys = new Set<string>();
  const cacheAge = measureCacheAge('revocations');
  const clock = new ExpiryClock();
  /** The position up to which all entries have been received. */
  let cursor = '';
  /** The cursor of the next call, if different: between the pages of a round, and before the whole list is fetched. */
  let position: string | undefined;
  let loaded = false;
  /** The time up to which the stream has completed the list; undefined if no stream does. */
  let streamedAsOf: number | undefined;
  let isDue = true;
  let roundAt = 0;
  let closeStream: (() => Promise<void>) | undefined;

  const untilSilent = () =>
    streamedAsOf === undefined ? 0 : streamedAsOf + intervalMs + toleranceMs - performance.now();

  async function fetchPage(): Promise<boolean> {
    const wasStreamed = streamedAsOf !== undefined;
    if (untilSilent() <= 0) streamedAsOf = undefined;
    isDue = false;
    if (!position) roundAt = performance.now();
    const timeoutMs = wasStreamed ? callAfterSilenceMs : 1_000;
    const page = await auth.call('listRevocations', { cursor: position ?? cursor }, { timeoutMs });
    addPage(page, roundAt);
    position = page.more ? page.cursor : undefined;
    if (page.more) return true;
    loaded = true;
    closeStream ??= stream && openStream(stream);
    return false;
  }

  const openStream = (from: GrpcStreamClient<AuthServiceClient>) =>
    openRevocationStream({
      stream: from,
      log,
      intervalMs,
      cursor: () => cursor,
      onMessage(message, asOf) {
        addPage(message, asOf);
        if (!message.more) streamedAsOf = Math.max(asOf, streamedAsOf ?? asOf);
      },
      onEnd() {
        if (streamedAsOf === undefined) return;
        streamedAsOf = undefined;
        fetchNow();
      },
    });

  // Both cursors are valid if the stream and a call complete the list at the same time. The older one repeats entries.
  function addPage(page: { revocations: Revocation[]; cursor: string; more: boolean }, asOf: number): void {
    for (const revocation of page.revocations) add(revocation);
    if (page.more) return;
    cursor = page.cursor;
    cacheAge.refreshed(asOf);
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
    const now = clock.now();
    for (const [id, expiresAt] of sessions) if (expiresAt < now) sessions.delete(id);
    for (const [id, expiresAt] of tokens) if (expiresAt < now) tokens.delete(id);
  }

  const fetchNow = () => {
    isDue = true;
    polling.wake();
  };

  const polling = startPolling({
    async round() {
      if (clock.hasJumped()) position = '';
      return isDue || position !== undefined || untilSilent() <= 0 ? fetchPage() : false;
    },
    onFailure: (error) => log[outageLevel(loaded)]({ err: error }, 'could not fetch revocations; retrying'),
    intervalMs: () => (untilSilent() > 0 ? Math.ceil(untilSilent()) : intervalMs),
    // Longer pauses would exceed the two seconds of D13.
    maxBackoffMs: 1_000,
  });
  const stopDeleting = runEvery({
    everyMs: deleteEveryMs,
    task: deleteExpired,
    log,
    failureMessage: 'could not delete expired revocations',
  });

  return {
    isRevoked: ({ sessionId, tokenId, keyId = '' }) =>
      (sessionId !== null && sessions.has(sessionId)) || tokens.has(tokenId) || keys.has(keyId),
    loaded: () => loaded,
    refresh: fetchNow,
    async close() {
      cacheAge.close();
      await Promise.all([polling.stop(), stopDeleting()]);
      await closeStream?.();
    },
  };
}

import { EventEmitter, on } from 'node:events';
import type { Logger } from '@gradeway/shared/process/logger';
import { startPolling } from '@gradeway/shared/process/polling';
import type { ServiceDependencies } from '../dependencies.ts';
import type { RevocationPage } from './revocation.ts';

export interface FeedPage {
  page: RevocationPage;
  /** When the page's round began, by `performance.now()`. The round's last page completes the list up to this time. */
  readAt: number;
}

export interface RevocationFeed {
  /**
   * Returns the revocations since a cursor, then the new ones of each further round. Ends after five minutes, or when
   * the feed closes.
   */
  watch(cursor: string, signal: AbortSignal): AsyncGenerator<FeedPage>;
  close(): Promise<void>;
}

interface Options {
  revocations: Pick<ServiceDependencies['revocations'], 'currentCursor' | 'page'>;
  log: Logger;
  /** Pause between two rounds, in milliseconds. */
  intervalMs: number;
}

// Lets watchers spread over replicas that were added later.
const maxWatchMs = 300_000;

/**
 * Reads new revocations once for all watchers. A failed round sends nothing, and the silence shows watchers that their
 * list is getting stale.
 *
 * A watcher subscribes before it reads the entries since its cursor. An entry committed after that read was not visible
 * to it, but belongs to a round that begins later or has not ended yet. The watcher receives both kinds of rounds.
 */
export async function openRevocationFeed({ revocations, log, intervalMs }: Options): Promise<RevocationFeed> {
  const rounds = new EventEmitter<{ page: [FeedPage]; close: [] }>().setMaxListeners(0);
  let cursor = await revocations.currentCursor();
  let isClosed = false;
  let roundAt: number | undefined;

  const polling = startPolling({
    async round() {
      // The cursor stays valid: the next round with a watcher reads everything since then.
      if (rounds.listenerCount('page') === 0) return false;
      const readAt = roundAt ?? performance.now();
      const page = await revocations.page(cursor);
      cursor = page.cursor;
      // A later page has a later snapshot, but can follow rows that were committed after the first page was read.
      roundAt = page.more ? readAt : undefined;
      rounds.emit('page', { page, readAt });
      return page.more;
    },
    onFailure: (error) => log.warn({ err: error }, 'could not read revocations for watchers; retrying'),
    intervalMs,
    maxBackoffMs: 1_000,
  });

  return {
    async *watch(start, signal) {
      if (isClosed) return;
      const startedAt = performance.now();
      const later = on(rounds, 'page', { signal, close: ['close'] });
      try {
        for (let position = start; ; ) {
          const page = await revocations.page(position);
          yield { page, readAt: startedAt };
          if (!page.more) break;
          position = page.cursor;
        }
        for await (const [page] of later) {
          yield page as FeedPage;
          if (performance.now() - startedAt > maxWatchMs) return;
        }
      } finally {
        await later.return?.();
      }
    },
    async close() {
      isClosed = true;
      rounds.emit('close');
      await polling.stop();
    },
  };
}

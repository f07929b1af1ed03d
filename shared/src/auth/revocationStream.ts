import { setTimeout as sleep } from 'node:timers/promises';
import type { AuthServiceClient, WatchedRevocations } from '@gradeway/proto/auth';
import type { GrpcStreamClient } from '../grpc/streamClient.ts';
import type { Logger } from '../process/logger.ts';

interface Options {
  stream: GrpcStreamClient<AuthServiceClient>;
  log: Logger;
  /** How often auth sends a message, in milliseconds. */
  intervalMs: number;
  /** The cursor of the list so far. */
  cursor(): string;
  /** Called with each message; unless `more` is set, the list is complete up to `asOf`, a time of `performance.now()`. */
  onMessage(message: WatchedRevocations, asOf: number): void;
  /** Called when a stream has ended, however it ended. */
  onEnd(): void;
}

// A stream that is late is replaced. The list would be older than `intervalMs` when the next message arrives.
const lateMs = 100;
const firstMs = 1_000;
// A stream that hangs is replaced after so much more than the interval; the list is polled long before.
const silentMs = 4_000;
const maxMs = 600_000;

/**
 * Keeps a stream of revocations open. Its messages say when auth read its table, in milliseconds since the request: the
 * list is at least as new as this time after the request was made, however long messages are delayed on the way.
 *
 * One that auth ends is opened again at once. After one that fails, that auth of an earlier version does not know, or whose
 * messages are late, the pause is five intervals. Returns a function that ends it.
 */
export function openRevocationStream({
  stream,
  log,
  intervalMs,
  cursor,
  onMessage,
  onEnd,
}: Options): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let hasFailed = false;

  /** Returns whether the stream was in order until it ended. */
  async function follow(): Promise<boolean> {
    const requestedAt = performance.now();
    const limits = { signal, firstMs, idleMs: intervalMs + silentMs, maxMs: intervalMs + maxMs };
    let inOrder = false;
    for await (const message of stream.read('watchRevocations', { cursor: cursor() }, limits)) {
      const asOf = requestedAt + message.elapsedMs;
      onMessage(message, asOf);
      inOrder = performance.now() - asOf <= lateMs;
      if (!inOrder && !message.more) break;
    }
    return inOrder;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let inOrder = false;
      try {
        inOrder = await follow();
      } catch (error) {
        if (!hasFailed && !signal.aborted)
          log.info({ err: error }, 'the stream of revocations failed; polling until it is open again');
      }
      hasFailed = !inOrder;
      if (signal.aborted) return;
      onEnd();
      if (!inOrder) await sleep(5 * intervalMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  const ended = run();
  return () => {
    stopping.abort();
    return ended;
  };
}

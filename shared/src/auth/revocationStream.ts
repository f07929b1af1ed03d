import { setTimeout as sleep } from 'node:timers/promises';
import type { AuthServiceClient, WatchedRevocations } from '@gradeway/proto/auth';
import type { GrpcStreamClient } from '../grpc/streamClient.ts';
import type { Logger } from '../process/logger.ts';

interface Options {
  stream: GrpcStreamClient<AuthServiceClient>;
  log: Logger;
  /** How often auth sends a message, in milliseconds. */
  intervalMs: number;
  /** Returns the cursor of the list so far. */
  cursor(): string;
  /** Called with each message. Without `more`, the list is complete up to `asOf`, a time of `performance.now()`. */
  onMessage(message: WatchedRevocations, asOf: number): void;
  /** Called whenever a stream has ended, for any reason. */
  onEnd(): void;
}

// A late stream is replaced: the list would be older than `intervalMs` by the time the next message arrives.
const lateMs = 100;
const firstMs = 1_000;
// A hung stream is replaced this long after the interval. The list is polled long before that.
const silentMs = 4_000;
const maxMs = 600_000;

/**
 * Keeps a stream of revocations open. Each message says when auth read its table, in milliseconds since the request.
 * The list is at least as recent as that time after the request was sent, however long messages are delayed on the way.
 *
 * A stream that auth ends is reopened at once. If a stream fails, if its messages are late, or if an earlier version of
 * auth does not support it, the pause is five intervals. Returns a function that ends the stream.
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

  /** Returns whether the stream was on time until it ended. */
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

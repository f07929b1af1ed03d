import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logger.ts';

interface Options {
  /** Pause after a run before the next one starts, in milliseconds. A function is called before each pause. */
  everyMs: number | (() => number);
  /** Runs the task immediately, instead of only after the first pause. */
  startNow?: boolean;
  /** `signal` is aborted when the task is stopped, so that a run can end early. */
  task(signal: AbortSignal): unknown;
  log: Logger;
  /** Log message for a failed run. Later runs are not affected. */
  failureMessage: string;
}

/**
 * Runs a task periodically; runs never overlap. The timer does not keep the process alive. Returns a function that
 * stops it: no further run starts, and it resolves when the current run has ended.
 */
export function runEvery({
  everyMs,
  startNow = false,
  task,
  log,
  failureMessage,
}: Options): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function runOnce(): Promise<void> {
    try {
      await task(signal);
    } catch (error) {
      log.warn({ err: error }, failureMessage);
    }
  }

  async function runUntilStopped(): Promise<void> {
    if (startNow) await runOnce();
    while (!signal.aborted) {
      const pauseMs = typeof everyMs === 'function' ? everyMs() : everyMs;
      await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => {});
      if (!signal.aborted) await runOnce();
    }
  }

  const ended = runUntilStopped();
  return () => {
    stopping.abort();
    return ended;
  };
}

import { Worker } from 'node:worker_threads';
import { type PackedTrace, packTrace } from './packedTrace.ts';
import type { FinishedTrace } from './requestTrace.ts';
import type { ExportSettings } from './spanExport.ts';

/** To the thread: traces to export, or an end after the last of them. */
export type ToExportThread = PackedTrace[] | 'end';

/** From the thread: how many traces it has taken over, or why spans cannot be exported. */
export type FromExportThread = { taken: number } | { problem: string };

const script = new URL('./exportWorker.js', import.meta.url);

// Traces that the thread has not taken over yet. It limits its own queue for the collector (spanExport.ts).
const maxWaiting = 4_096;
const batchSize = 256;
const batchEveryMs = 200;

/**
 * Exports traces from a thread of its own: creating, encoding and sending the two spans of a request takes a third as long
 * as the request itself. Traces that the thread does not take over in time are dropped, so that memory is bounded and no
 * request waits. After an error the thread is started again, a minute after its start.
 */
export class ExportThread {
  readonly #settings: ExportSettings;
  readonly #warn: (problem: string) => void;
  readonly #restartAfterMs: number;
  #thread: Worker | undefined;
  #startedAt = 0;
  #mayRestart = true;
  #batch: FinishedTrace[] = [];
  #sending: NodeJS.Timeout | undefined;
  /** Traces that the thread has been sent and has not taken over. */
  #sent = 0;

  constructor(
    settings: ExportSettings,
    warn: (problem: string) => void,
    { restartAfterMs = 60_000 }: { restartAfterMs?: number } = {},
  ) {
    this.#settings = settings;
    this.#warn = warn;
    this.#restartAfterMs = restartAfterMs;
    this.#thread = this.#start();
  }

  /** Exports a trace, at the latest after 1.2 seconds. */
  export(trace: FinishedTrace): void {
    if (this.#batch.length + this.#sent >= maxWaiting) {
      this.#warn('the thread that exports them is too slow');
      return;
    }
    this.#batch.push(trace);
    if (this.#batch.length >= batchSize) this.#send();
    else this.#sending ??= setTimeout(() => this.#send(), batchEveryMs).unref();
  }

  /** Exports the remaining traces and ends the thread. */
  async stop(): Promise<void> {
    this.#send();
    this.#mayRestart = false;
    const thread = this.#thread;
    if (!thread) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    thread.ref();
    thread.postMessage('end' satisfies ToExportThread);
    await ended;
  }

  #send(): void {
    clearTimeout(this.#sending);
    this.#sending = undefined;
    const batch = this.#batch;
    this.#batch = [];
    const mayStart = this.#mayRestart && performance.now() - this.#startedAt >= this.#restartAfterMs;
    if (!this.#thread && mayStart) this.#thread = this.#start();
    if (!this.#thread || batch.length === 0) return;
    this.#sent += batch.length;
    this.#thread.postMessage(batch.map(packTrace) satisfies ToExportThread);
  }

  #start(): Worker {
    this.#startedAt = performance.now();
    const thread = new Worker(script, {
      workerData: this.#settings,
      // It needs 16 MB. Without a limit a fault of the thread could end the whole process. The young generation counts as
      // well: with its size in the process, V8 would be at its limit, and mark the whole heap for every batch.
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
    });
    thread.unref();
    thread.on('message', (message: FromExportThread) => {
      if ('problem' in message) this.#warn(message.problem);
      else if (this.#thread === thread) this.#sent -= message.taken;
    });
    const end = () => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      this.#sent = 0;
    };
    thread.on('error', (error) => {
      end();
      this.#warn(`the thread that exports them failed: ${error.message}`);
    });
    thread.on('exit', end);
    return thread;
  }
}

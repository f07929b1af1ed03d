import { performance } from 'node:perf_hooks';
import { type Release, Semaphore } from '../process/semaphore.ts';
import { measureUploadQueue } from './uploadMetrics.ts';

interface Limits {
  /** Max uploads in progress. */
  slots: number;
  /** Max uploads of one user in progress. */
  perUser: number;
}

interface Upload {
  userId: number;
  /** Whether this process pauses the body, because it arrives faster than it is written. */
  isPaused(): boolean;
  /** Ends the wait for a slot, with its reason. */
  signal: AbortSignal;
}

const intervalMs = 250;
/** A body that arrives more slowly than 512 KiB a second leaves this process time for others. */
const slowBytes = (512 * 1024 * intervalMs) / 1_000;
// Above this utilization, a slow body may be caused by the event loop itself.
const busyLoop = 0.7;

/**
 * Limits the uploads in progress, from the first byte of their body to their commit. The others wait before their body is
 * read, and are served round-robin by user, so that read requests, which are not queued, get their share of the process.
 *
 * A slow client gives up its slot while its body arrives: it needs few resources meanwhile, and many slow clients would
 * delay the others unnecessarily. Its upload waits for another slot once it has arrived.
 */
export class UploadQueue {
  readonly #slots: Semaphore;
  readonly #receiving = new Set<UploadTurn>();
  #timer: NodeJS.Timeout | undefined;
  #loop = performance.eventLoopUtilization();

  constructor(limits: Limits) {
    this.#slots = new Semaphore(limits);
    measureUploadQueue(() => this.#slots.waiting);
  }

  /** Waits for a slot. Disposing the turn frees it. */
  async enter(upload: Upload): Promise<UploadTurn> {
    const turn = new UploadTurn(this.#slots, upload, () => this.#receiving.delete(turn));
    await turn.take();
    this.#receiving.add(turn);
    this.#timer ??= setInterval(() => this.#releaseSlow(), intervalMs).unref();
    return turn;
  }

  #releaseSlow(): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#loop);
    this.#loop = now;
    for (const turn of this.#receiving) turn.judge(utilization < busyLoop);
    if (this.#receiving.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** An upload that has a slot, or had one and waits for another. */
export class UploadTurn implements Disposable {
  readonly #slots: Semaphore;
  readonly #upload: Upload;
  readonly #stopJudging: () => void;
  #release: Release | undefined;
  #bytes = 0;
  #isNew = true;

  constructor(slots: Semaphore, upload: Upload, stopJudging: () => void) {
    this.#slots = slots;
    this.#upload = upload;
    this.#stopJudging = stopJudging;
  }

  async take(): Promise<void> {
    this.#release ??= await this.#slots.acquire(this.#upload.userId, this.#upload.signal);
  }

  /** Counts bytes of the body as they arrive. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** The body has arrived. Waits for another slot if the client was slow. */
  async received(): Promise<void> {
    this.#stopJudging();
    await this.take();
  }

  /** Gives up the slot if the client was slow since the last call. */
  judge(hasTime: boolean): void {
    const isSlow = this.#bytes < slowBytes && hasTime && !this.#upload.isPaused();
    if (isSlow && !this.#isNew) this.#give();
    this.#bytes = 0;
    this.#isNew = false;
  }

  #give(): void {
    this.#stopJudging();
    this.#release?.();
    this.#release = undefined;
  }

  [Symbol.dispose](): void {
    this.#give();
  }
}

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
  /** Whether this process has paused the body because it arrives faster than it is written. */
  isPaused(): boolean;
  /** Aborts the wait for a slot, which rejects with the signal's reason. */
  signal: AbortSignal;
}

const intervalMs = 250;
/** A body slower than 512 KiB/s leaves this process time for other requests. */
const slowBytes = (512 * 1024 * intervalMs) / 1_000;
// Above this utilization, the event loop itself may be slowing the body down.
const busyLoop = 0.7;

/**
 * Limits the uploads in progress, from the first byte of the body to the commit. Other uploads wait before their body
 * is read, and are served round-robin by user. This leaves a share of the process to read requests, which are not
 * queued.
 *
 * A slow client gives up its slot while its body arrives, because it needs few resources then, and many slow clients
 * would delay the others unnecessarily. The upload waits for another slot once its body has arrived.
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

  /** Called when the body has arrived. Waits for another slot if the client was slow. */
  async received(): Promise<void> {
    this.#stopJudging();
    await this.take();
  }

  /** Gives up the slot if the client has been slow since the last call. */
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

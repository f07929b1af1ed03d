import { collectRecentGarbage } from './collectGarbage.ts';

/*
 * A buffer that survives two of these collections is old, and only a full one frees it: they must be further apart than buffers
 * live. With 2 MiB V8 marked the whole heap four times as often during uploads, with 8 MiB the gateway took longer for large
 * responses (decisions 25 and 39).
 */
const defaultInterval = 4 * 1024 * 1024;

/**
 * Frees the buffers of a long transfer. Their memory is outside the heap of V8, which therefore does not collect its young
 * generation, where they are, but marks the whole heap when their sum reaches its limit. That takes a hundred times as long,
 * and was two fifths of the CPU time of a transfer.
 */
export class BufferCollector {
  readonly #interval: number;
  #bytes = 0;

  /** @param interval in bytes, 4 MiB by default */
  constructor(interval = defaultInterval) {
    this.#interval = interval;
  }

  /** Counts bytes of new buffers, and collects the young generation whenever the interval is reached. */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < this.#interval) return;
    this.#bytes = 0;
    collectRecentGarbage();
  }
}

/** The interval for archives of many small files, in bytes: fewer collections, because their buffers are used at once. */
export const archiveInterval = 8 * 1024 * 1024;

import { collectRecentGarbage } from './collectGarbage.ts';

/*
 * A buffer that survives two of these collections becomes old, and only a full collection frees it, so the interval must exceed the
 * lifetime of buffers. With 2 MiB, V8 marked the whole heap four times as often during uploads; with 8 MiB, the gateway took longer
 * for large responses (decisions 25 and 39).
 */
const defaultInterval = 4 * 1024 * 1024;

/**
 * Frees the buffers of a long transfer. Their memory is outside V8's heap, so V8 does not collect the young generation that contains
 * them, but marks the whole heap when their sum reaches its limit. That takes a hundred times as long and used two fifths of the CPU
 * time of a transfer.
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

/** The interval in bytes for archives of many small files, whose buffers are used immediately: fewer collections suffice. */
export const archiveInterval = 8 * 1024 * 1024;

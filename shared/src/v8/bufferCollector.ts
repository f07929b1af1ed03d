import { collectRecentGarbage } from './collectGarbage.ts';

/*
 * A buffer that survives two of these collections is promoted, and only a full collection frees it. The interval must
 * therefore exceed the lifetime of buffers. At 2 MiB, V8 marked the whole heap four times as often during uploads. At 8
 * MiB, the gateway was slower for large responses (decisions 25 and 39).
 */
const defaultInterval = 4 * 1024 * 1024;

/**
 * Frees the buffers of a long transfer. Their memory is outside V8's heap, so buffers alone do not trigger a collection
 * of the young generation that holds them. Instead, V8 marks the whole heap when their total reaches its limit, which
 * takes a hundred times as long and used two fifths of the CPU time of a transfer.
 */
export class BufferCollector {
  readonly #interval: number;
  #bytes = 0;

  /** @param interval in bytes, 4 MiB by default */
  constructor(interval = defaultInterval) {
    this.#interval = interval;
  }

  /** Counts the bytes of new buffers, and collects the young generation whenever the interval is reached. */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < this.#interval) return;
    this.#bytes = 0;
    collectRecentGarbage();
  }
}

/**
 * Interval in bytes for archives of many small files. Their buffers are consumed immediately, so fewer collections
 * suffice.
 */
export const archiveInterval = 8 * 1024 * 1024;

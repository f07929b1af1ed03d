import { collectRecentGarbage } from './collectGarbage.ts';

// After 8 MiB V8 still marked the whole heap for every 7 MB of files that quiz sent, after 2 MiB hardly ever.
const bytesBetween = 2 * 1024 * 1024;

/**
 * Frees the buffers of a long transfer. Their memory is outside the heap of V8, which therefore does not collect its young
 * generation, where they are, but marks the whole heap when their sum reaches its limit. That takes a hundred times as long,
 * and was two fifths of the CPU time of a transfer.
 */
export class BufferCollector {
  #bytes = 0;

  /** Counts bytes of new buffers, and collects the young generation after every 2 MiB. */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < bytesBetween) return;
    this.#bytes = 0;
    collectRecentGarbage();
  }
}

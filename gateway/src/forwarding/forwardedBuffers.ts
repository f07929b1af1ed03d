import { BufferCollector } from '@gradeway/shared/v8/bufferCollector';

/*
 * Beyond this, buffers outlive two collections of the young generation, so only a full collection frees them: 64 concurrent
 * responses of 250 KB took a quarter more CPU time with the collector than without (decision 39).
 */
const maxHeldBytes = 4 * 1024 * 1024;
// With smaller buffers, requests allocate enough objects for V8 to collect the young generation anyway.
const minBytes = 16 * 1024;

/**
 * Collects the buffers of forwarded responses. V8 counts them towards the heap limit but does not collect the young generation for
 * them: without this, lists of 100 KB made it mark the whole heap ten times a second, which took a quarter of the CPU time.
 */
export class ForwardedBuffers {
  readonly #collector = new BufferCollector();
  #heldBytes = 0;

  /** Counts a buffer that is being sent. */
  hold(bytes: number): void {
    this.#heldBytes += bytes;
    if (bytes >= minBytes && this.#heldBytes <= maxHeldBytes) this.#collector.count(bytes);
  }

  /** Subtracts the buffers of a response that has ended. */
  release(bytes: number): void {
    this.#heldBytes -= bytes;
  }
}

import { BufferCollector } from '@gradeway/shared/process/bufferCollector';

/*
 * With more, buffers outlive two collections of the young generation, and only a full one frees them: 64 responses of 250 KB at once
 * took a quarter more CPU time with the collector than without (decision 39).
 */
const maxHeldBytes = 4 * 1024 * 1024;
// Beside smaller buffers, requests allocate so many objects that V8 collects the young generation anyway.
const minBytes = 16 * 1024;

/**
 * The buffers of responses that the gateway forwards. Lists of 100 KB made V8 mark the whole heap ten times a second, a quarter of
 * the gateway's CPU time, because it counts these buffers but collects no young generation for them.
 */
export class ForwardedBuffers {
  readonly #collector = new BufferCollector();
  #heldBytes = 0;

  /** Counts a buffer that is being sent. */
  hold(bytes: number): void {
    this.#heldBytes += bytes;
    if (bytes >= minBytes && this.#heldBytes <= maxHeldBytes) this.#collector.count(bytes);
  }

  /** Subtracts buffers whose response has ended. */
  release(bytes: number): void {
    this.#heldBytes -= bytes;
  }
}

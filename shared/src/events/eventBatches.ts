import { AsyncResource } from 'node:async_hooks';

interface Waiting<Event> {
  event: Event;
  context: AsyncResource;
  resolve(): void;
  reject(error: unknown): void;
}

/** Handles events together. If that fails, handles each alone, so that an event fails only because of itself. */
export function inBatches<Event>(
  maxSize: number,
  handleAll: (events: Event[]) => Promise<void>,
  alone: (event: Event) => Promise<void>,
): (event: Event) => Promise<void> {
  const batches = new EventBatches<Event>(maxSize, handleAll);
  return (event) => batches.add(event).catch(() => alone(event));
}

/**
 * Handles events together if they arrive while earlier ones are being handled: one at a time under low load, up to
 * `maxSize` at once under a backlog. Only one batch runs at a time. It runs in the context, and therefore the trace, of
 * its first event.
 */
class EventBatches<Event> {
  readonly #maxSize: number;
  readonly #handleAll: (events: Event[]) => Promise<void>;
  readonly #waiting: Waiting<Event>[] = [];
  #isRunning = false;

  constructor(maxSize: number, handleAll: (events: Event[]) => Promise<void>) {
    this.#maxSize = maxSize;
    this.#handleAll = handleAll;
  }

  /** Resolves once a batch containing the event has been handled. @throws the batch's error, to each of its events */
  add(event: Event): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ event, context: new AsyncResource('EventBatch'), resolve, reject });
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Broker clients deliver several messages in the same turn of the event loop.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#maxSize);
      try {
        const events = batch.map(({ event }) => event);
        await batch[0]?.context.runInAsyncScope(() => this.#handleAll(events));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }
}

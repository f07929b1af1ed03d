import type { DrawingQueue, DrawingTask, Urgency } from './drawingQueue.ts';

export interface Drawing {
  canvas: Promise<HTMLCanvasElement>;
  /** A render that no caller is waiting for any longer is cancelled, or never started. */
  cancel(): void;
}

interface Shared {
  canvas: Promise<HTMLCanvasElement>;
  task: DrawingTask;
  users: Set<Drawing>;
  abort(): void;
}

type Paint = (signal: AbortSignal) => Promise<HTMLCanvasElement>;

/** The pending renders of a document. Concurrent requests for the same render share it. */
export class SharedDrawings {
  readonly #queue: DrawingQueue;
  readonly #drawings = new Map<string, Shared>();

  constructor(queue: DrawingQueue) {
    this.#queue = queue;
  }

  draw(key: string, urgency: Urgency, paint: Paint): Drawing {
    const shared = this.#drawings.get(key) ?? this.#begin(key, urgency, paint);
    if (urgency === 'shown') shared.task.urgency = urgency;
    const drawing = {
      canvas: shared.canvas,
      cancel: () => {
        if (shared.users.delete(drawing) && shared.users.size === 0) shared.abort();
      },
    };
    shared.users.add(drawing);
    return drawing;
  }

  cancelAll(): void {
    for (const { abort } of this.#drawings.values()) abort();
  }

  #begin(key: string, urgency: Urgency, paint: Paint): Shared {
    const { promise: canvas, resolve, reject } = Promise.withResolvers<HTMLCanvasElement>();
    const controller = new AbortController();
    const end = (settle: () => void) => {
      // The same page may have been requested again since this render was cancelled.
      if (this.#drawings.get(key) === shared) this.#drawings.delete(key);
      settle();
    };
    const task: DrawingTask = {
      urgency,
      run: () =>
        paint(controller.signal).then(
          (drawn) => end(() => resolve(drawn)),
          (error: unknown) => end(() => reject(error)),
        ),
    };
    const abort = () => {
      // A finished render is kept.
      if (this.#drawings.get(key) !== shared) return;
      this.#queue.remove(task);
      controller.abort();
      end(() => reject(controller.signal.reason));
    };
    const shared: Shared = { canvas, task, users: new Set(), abort };
    this.#drawings.set(key, shared);
    this.#queue.add(task);
    return shared;
  }
}

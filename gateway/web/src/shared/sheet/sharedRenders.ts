import type { RenderQueue, RenderTask, Urgency } from './renderQueue.ts';

export interface PendingRender {
  canvas: Promise<HTMLCanvasElement>;
  /** A render that no caller is still waiting for is cancelled, or never started. */
  cancel(): void;
}

interface Shared {
  canvas: Promise<HTMLCanvasElement>;
  task: RenderTask;
  users: Set<PendingRender>;
  abort(): void;
}

type Paint = (signal: AbortSignal) => Promise<HTMLCanvasElement>;

/** The pending renders of a document. Concurrent requests for the same render share it. */
export class SharedRenders {
  readonly #queue: RenderQueue;
  readonly #renders = new Map<string, Shared>();

  constructor(queue: RenderQueue) {
    this.#queue = queue;
  }

  render(key: string, urgency: Urgency, paint: Paint): PendingRender {
    const shared = this.#renders.get(key) ?? this.#begin(key, urgency, paint);
    if (urgency === 'shown') shared.task.urgency = urgency;
    const render = {
      canvas: shared.canvas,
      cancel: () => {
        if (shared.users.delete(render) && shared.users.size === 0) shared.abort();
      },
    };
    shared.users.add(render);
    return render;
  }

  cancelAll(): void {
    for (const { abort } of this.#renders.values()) abort();
  }

  #begin(key: string, urgency: Urgency, paint: Paint): Shared {
    const { promise: canvas, resolve, reject } = Promise.withResolvers<HTMLCanvasElement>();
    const controller = new AbortController();
    const end = (settle: () => void) => {
      // The same page may have been requested again since this render was cancelled.
      if (this.#renders.get(key) === shared) this.#renders.delete(key);
      settle();
    };
    const task: RenderTask = {
      urgency,
      run: () =>
        paint(controller.signal).then(
          (canvas) => end(() => resolve(canvas)),
          (error: unknown) => end(() => reject(error)),
        ),
    };
    const abort = () => {
      // A finished render is kept.
      if (this.#renders.get(key) !== shared) return;
      this.#queue.remove(task);
      controller.abort();
      end(() => reject(controller.signal.reason));
    };
    const shared: Shared = { canvas, task, users: new Set(), abort };
    this.#renders.set(key, shared);
    this.#queue.add(task);
    return shared;
  }
}

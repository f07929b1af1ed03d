/** How urgently a page is needed: it is on the screen, close to it, or on a sheet that may come next. */
export type Urgency = 'shown' | 'near' | 'ahead';

const order: Urgency[] = ['shown', 'near', 'ahead'];

export interface RenderTask {
  urgency: Urgency;
  run(): Promise<unknown>;
}

/**
 * Renders one page at a time, the most urgent first. All documents share one worker, and decoding a scanned page blocks
 * it for a fifth of a second: pages that may be needed next must not delay the visible one.
 */
export class RenderQueue {
  readonly #waiting = new Set<RenderTask>();
  #isBusy = false;

  add(task: RenderTask): void {
    this.#waiting.add(task);
    void this.#runNext();
  }

  /** Removes a task that has not started. */
  remove(task: RenderTask): void {
    this.#waiting.delete(task);
  }

  async #runNext(): Promise<void> {
    if (this.#isBusy) return;
    const next = [...this.#waiting].sort(
      (one, other) => order.indexOf(one.urgency) - order.indexOf(other.urgency),
    )[0];
    if (!next) return;
    this.#waiting.delete(next);
    this.#isBusy = true;
    // The caller that requested the page handles its error.
    await next.run().catch(() => {});
    this.#isBusy = false;
    void this.#runNext();
  }
}

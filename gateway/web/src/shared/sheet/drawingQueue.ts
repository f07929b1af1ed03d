/** How soon a page is wanted: it is on the screen, close to it, or on a sheet that may come next. */
export type Urgency = 'shown' | 'near' | 'ahead';

const order: Urgency[] = ['shown', 'near', 'ahead'];

export interface DrawingTask {
  urgency: Urgency;
  run(): Promise<unknown>;
}

/**
 * Draws one page at a time, the most urgent first. All documents share one worker, which decodes a scanned page for a fifth of a
 * second without a pause: pages that may be needed next must not delay the page that is shown.
 */
export class DrawingQueue {
  readonly #waiting = new Set<DrawingTask>();
  #isBusy = false;

  add(task: DrawingTask): void {
    this.#waiting.add(task);
    void this.#runNext();
  }

  /** Takes a task out that has not begun. */
  remove(task: DrawingTask): void {
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
    // Whoever asked for the page handles its failure.
    await next.run().catch(() => {});
    this.#isBusy = false;
    void this.#runNext();
  }
}

import { AsyncResource } from 'node:async_hooks';

interface Limits {
  /** Jobs that run at once. */
  atOnce: number;
  /** Jobs of one user that run at once. */
  perUser: number;
}

/** Runs a limited number of jobs at once and starts waiting ones round-robin by user, each user's in their order. */
export class FairQueue {
  readonly #limits: Limits;
  // The order of the keys is the order in which the users are served.
  readonly #waiting = new Map<number, (() => void)[]>();
  readonly #runningOf = new Map<number, number>();
  #running = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  run<T>(userId: number, job: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // The job that ends starts the next one, whose log lines belong to another request.
      const start = AsyncResource.bind(() => {
        this.#count(userId, 1);
        job()
          .then(resolve, reject)
          .finally(() => {
            this.#count(userId, -1);
            this.#startNext();
          });
      });
      const jobs = this.#waiting.get(userId);
      if (jobs) jobs.push(start);
      else this.#waiting.set(userId, [start]);
      this.#startNext();
    });
  }

  #startNext(): void {
    while (this.#running < this.#limits.atOnce) {
      const next = [...this.#waiting].find(([userId]) => this.#mayRun(userId));
      if (!next) return;
      const [userId, jobs] = next;
      const start = jobs.shift();
      this.#waiting.delete(userId);
      if (jobs.length > 0) this.#waiting.set(userId, jobs);
      start?.();
    }
  }

  #mayRun = (userId: number): boolean => (this.#runningOf.get(userId) ?? 0) < this.#limits.perUser;

  #count(userId: number, change: 1 | -1): void {
    this.#running += change;
    const running = (this.#runningOf.get(userId) ?? 0) + change;
    if (running === 0) this.#runningOf.delete(userId);
    else this.#runningOf.set(userId, running);
  }
}

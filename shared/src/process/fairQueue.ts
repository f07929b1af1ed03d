import { AsyncResource } from 'node:async_hooks';

interface Limits {
  /** Jobs that run at once. */
  atOnce: number;
  /** Jobs of one user that run at once. */
  perUser: number;
}

/** Runs a limited number of jobs at once and starts waiting ones round-robin by user, each user's in their order. */
export class FairQueue<User = number> {
  readonly #limits: Limits;
  // The order of the keys is the order in which the users are served.
  readonly #waiting = new Map<User, (() => void)[]>();
  readonly #runningOf = new Map<User, number>();
  #running = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** The number of jobs that wait. */
  get waiting(): number {
    let count = 0;
    for (const jobs of this.#waiting.values()) count += jobs.length;
    return count;
  }

  run<T>(userId: User, job: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // The job that ends starts the next one, whose log lines belong to another request.
      const start = AsyncResource.bind(() => {
        job()
          .then(resolve, reject)
          .finally(() => this.#end(userId));
      });
      this.#add(userId, start);
    });
  }

  /**
   * Waits for the start of a job that runs elsewhere. Returns a function that ends it, once.
   * @throws the reason of the signal when it is aborted before the start
   */
  enter(userId: User, signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#remove(userId, start);
        reject(signal?.reason);
      };
      const start = () => {
        signal?.removeEventListener('abort', leave);
        let isRunning = true;
        resolve(() => {
          if (isRunning) this.#end(userId);
          isRunning = false;
        });
      };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener('abort', leave, { once: true });
      this.#add(userId, start);
    });
  }

  #add(userId: User, start: () => void): void {
    const jobs = this.#waiting.get(userId);
    if (jobs) jobs.push(start);
    else this.#waiting.set(userId, [start]);
    this.#startNext();
  }

  #remove(userId: User, start: () => void): void {
    const others = (this.#waiting.get(userId) ?? []).filter((job) => job !== start);
    if (others.length > 0) this.#waiting.set(userId, others);
    else this.#waiting.delete(userId);
  }

  #end(userId: User): void {
    this.#count(userId, -1);
    this.#startNext();
  }

  #startNext(): void {
    while (this.#running < this.#limits.atOnce) {
      const userId = this.#nextUser();
      if (userId === undefined) return;
      const [start, ...others] = this.#waiting.get(userId) ?? [];
      // Last in the order now.
      this.#waiting.delete(userId);
      if (others.length > 0) this.#waiting.set(userId, others);
      this.#count(userId, 1);
      start?.();
    }
  }

  #nextUser(): User | undefined {
    for (const userId of this.#waiting.keys())
      if ((this.#runningOf.get(userId) ?? 0) < this.#limits.perUser) return userId;
    return undefined;
  }

  #count(userId: User, change: 1 | -1): void {
    this.#running += change;
    const running = (this.#runningOf.get(userId) ?? 0) + change;
    if (running === 0) this.#runningOf.delete(userId);
    else this.#runningOf.set(userId, running);
  }
}

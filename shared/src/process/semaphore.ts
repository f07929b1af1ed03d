import { unavailable } from '../errors/appError.ts';

interface Limits {
  /** Max slots in use at once. */
  slots: number;
  /** Max slots per user; all of them by default. */
  perUser?: number;
  /** Max waiting callers; unlimited by default. */
  maxWaiting?: number;
}

/** The user of every caller, where slots are not shared fairly between users. */
export const everyone = 0;

/** Frees a slot. Only the first call has an effect. */
export type Release = () => void;

/** Limits concurrent work. Waiting callers get slots round-robin by user, and in order of arrival within a user. */
export class Semaphore<User = number> {
  readonly #limits: Required<Limits>;
  // Users are served in key order.
  readonly #waiting = new Map<User, Set<() => void>>();
  readonly #usedBy = new Map<User, number>();
  #used = 0;

  constructor({ slots, perUser = slots, maxWaiting = Number.POSITIVE_INFINITY }: Limits) {
    this.#limits = { slots, perUser, maxWaiting };
  }

  get waiting(): number {
    let count = 0;
    for (const callers of this.#waiting.values()) count += callers.size;
    return count;
  }

  /** Runs a task in a slot. @throws AppError `unavailable` if too many callers are waiting */
  async run<T>(user: User, task: () => Promise<T>): Promise<T> {
    const release = await this.acquire(user);
    try {
      return await task();
    } finally {
      release();
    }
  }

  /**
   * Waits for a slot.
   * @throws AppError `unavailable` if too many callers are waiting; the signal's reason if it is aborted during the
   * wait
   */
  async acquire(user: User, signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    const release = this.tryAcquire(user);
    if (release) return release;
    if (this.waiting >= this.#limits.maxWaiting) throw unavailable('the task queue is full');
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve(this.#take(user));
      };
      const leave = () => {
        this.#remove(user, start);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.set(user, (this.#waiting.get(user) ?? new Set()).add(start));
    });
  }

  /** Takes a slot without waiting. It never jumps the queue: callers wait only while no slot is free for their user. */
  tryAcquire(user: User): Release | undefined {
    return this.#isFreeFor(user) ? this.#take(user) : undefined;
  }

  #isFreeFor(user: User): boolean {
    const { slots, perUser } = this.#limits;
    return this.#used < slots && (this.#usedBy.get(user) ?? 0) < perUser;
  }

  #take(user: User): Release {
    this.#count(user, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#count(user, -1);
      this.#serveNext();
    };
  }

  // One freed slot admits at most one caller.
  #serveNext(): void {
    for (const [user, callers] of this.#waiting) {
      const [start] = callers;
      if (!start || !this.#isFreeFor(user)) continue;
      this.#remove(user, start);
      // Moves the user to the end of the queue.
      if (this.#waiting.delete(user)) this.#waiting.set(user, callers);
      start();
      return;
    }
  }

  #remove(user: User, start: () => void): void {
    const callers = this.#waiting.get(user);
    callers?.delete(start);
    if (callers?.size === 0) this.#waiting.delete(user);
  }

  #count(user: User, change: 1 | -1): void {
    this.#used += change;
    const used = (this.#usedBy.get(user) ?? 0) + change;
    if (used === 0) this.#usedBy.delete(user);
    else this.#usedBy.set(user, used);
  }
}

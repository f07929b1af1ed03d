import { randomUUID } from 'node:crypto';
import { everyone, Semaphore } from '@gradeway/shared/process/semaphore';
import { hash, type Options, verify } from '@node-rs/argon2';

export const minPasswordLength = 8;
export const maxPasswordLength = 128;

/** Whether a password consists only of spaces. */
export const isBlank = (password: string): boolean => password.trim() === '';

// argon2id, the library's default, with the minimum cost of OWASP's Password Storage Cheat Sheet.
const cost: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// A few seconds of work on two cores. With a longer queue, clients would time out before their turn.
const maxWaiting = 300;

/** Hashes and verifies passwords and one-time codes. Limits concurrency: a hash takes 19 MiB and about 12 ms of CPU. */
export class PasswordHasher {
  /** The hash of a random password, for accounts created without one. */
  readonly unknownPasswordHash: string;
  readonly #slots: Semaphore;

  private constructor(slots: Semaphore, unknownPasswordHash: string) {
    this.#slots = slots;
    this.unknownPasswordHash = unknownPasswordHash;
  }

  static async create(slots: number): Promise<PasswordHasher> {
    return new PasswordHasher(new Semaphore({ slots, maxWaiting }), await hash(randomUUID(), cost));
  }

  /** @throws AppError `unavailable` if the queue is full */
  hash(password: string): Promise<string> {
    return this.#slots.run(everyone, () => hash(normalizePassword(password), cost));
  }

  /**
   * Whether a password matches a hash. Without a hash, returns false after the same work, so that response times do not
   * reveal which accounts exist (D8).
   * @throws AppError `unavailable` if the queue is full
   */
  async verify(passwordHash: string | undefined, password: string): Promise<boolean> {
    const reference = passwordHash ?? this.unknownPasswordHash;
    const matches = await this.#slots.run(everyone, () => verify(reference, normalizePassword(password)));
    return matches && passwordHash !== undefined;
  }
}

// Keyboards encode the same letter differently (NIST SP 800-63B §5.1.1.2).
export const normalizePassword = (password: string): string => password.normalize('NFKC');

import { randomUUID } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';
import { limitConcurrency } from '../limitConcurrency.ts';

export const shortestPassword = 8;
export const longestPassword = 128;

// argon2id with the least that OWASP's Password Storage Cheat Sheet advises. The algorithm is the default one.
const cost: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Some seconds of work on two cores. A longer queue would answer people who have long gone.
const mostWaiting = 300;

/** Hashes and verifies passwords and one-time codes, a few at a time: each takes 19 MiB and some 20 ms of a core. */
export class Passwords {
  readonly #inTurn: ReturnType<typeof limitConcurrency>;
  readonly #dummyHash: string;

  private constructor(inTurn: ReturnType<typeof limitConcurrency>, dummyHash: string) {
    this.#inTurn = inTurn;
    this.#dummyHash = dummyHash;
  }

  static async create(atOnce: number): Promise<Passwords> {
    return new Passwords(limitConcurrency({ atOnce, mostWaiting }), await hash(randomUUID(), cost));
  }

  /** The hash of a password that nobody knows, for accounts that are given none. */
  get unknown(): string {
    return this.#dummyHash;
  }

  /** @throws AppError `unavailable` when too many wait already */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(normalise(password), cost));
  }

  /**
   * Whether a password is the one of this hash. Without a hash it is not, and that takes as long to say: nobody
   * learns from the time of an answer which accounts exist (D8).
   * @throws AppError `unavailable` when too many wait already
   */
  async verify(passwordHash: string | undefined, password: string): Promise<boolean> {
    const matches = await this.#inTurn(() => verify(passwordHash ?? this.#dummyHash, normalise(password)));
    return matches && passwordHash !== undefined;
  }
}

// The same letters typed on another keyboard are the same password (NIST SP 800-63B §5.1.1.2).
const normalise = (password: string): string => password.normalize('NFKC');

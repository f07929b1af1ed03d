import type { User } from './user.ts';

/** The data that a password login reads before verifying the password. */
export interface LoginAttempt {
  /** Undefined for an unknown account. */
  user: User | undefined;
  /** The version of the account's row. It changes with every update. */
  version: string | null;
  /** The registered device that the client uses, even if it is disabled. */
  deviceId: number | null;
  /** The key that a failed attempt is counted under. */
  failuresKey: string;
  failures: Failures;
}

/** Failed attempts under a key in the current window. */
export interface Failures {
  count: number;
  secondsLeft: number;
}

import type { Account } from '../domain/importedUser.ts';

/** A student whose account exists, or will be created. */
export interface FoundStudent {
  line: number;
  account: Account;
  /** The id in the school's own system of a new account; empty without one. */
  sourcedId: string;
  isNew: boolean;
}

/** A student with the action on the enrollment. */
export interface PlannedStudent extends FoundStudent {
  /** `update` makes an enrollment a paid one. */
  action: 'create' | 'update' | 'unchanged';
  /** The revision of the enrollment; 0 without one. */
  revision: number;
}

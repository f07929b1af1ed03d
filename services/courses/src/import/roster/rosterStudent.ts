import type { Account } from '../domain/importedUser.ts';

/** A student whose account exists, or will be created. */
export interface FoundStudent {
  line: number;
  account: Account;
  /** A new account's id in the school's own system; empty if there is none. */
  sourcedId: string;
  isNew: boolean;
}

/** A student with the action on the enrollment. */
export interface PlannedStudent extends FoundStudent {
  /** `update` makes an enrollment paid. */
  action: 'create' | 'update' | 'unchanged';
  /** The revision of the enrollment; 0 if there is none. */
  revision: number;
}

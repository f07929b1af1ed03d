/** The fields of an account in auth that an import needs. */
export interface Account {
  userId: number;
  firstName: string;
  lastName: string;
  email: string;
  role: string;
  revision: number;
}

/** An account that an earlier import created or adopted under this sourcedId. */
export interface KnownAccount {
  sourcedId: string;
  account: Account;
}

/** A valid row of users.csv, for auth to plan. */
export interface UserRow {
  line: number;
  sourcedId: string;
  isDeleted: boolean;
  wanted: Record<string, string | boolean | null>;
}

/** The action on an account that auth has planned. */
export interface UserDecision {
  line: number;
  action: string;
  changes: Record<string, [unknown, unknown]>;
  messages: string[];
  account: Account | null;
}

import { hasUnprovenAddress, type User } from './user.ts';

/** An account as described by the import file. A null or empty value leaves an existing account's value unchanged. */
export interface ImportedUser {
  line: number;
  sourcedId: string;
  isDeleted: boolean;
  firstName: string;
  lastName: string;
  email: string | null;
  mobile: string | null;
  role: Exclude<User['role'], 'admin'>;
  isEnabled: boolean | undefined;
  password: string | null;
}

/** An existing account and the sourcedId it got from an earlier import. */
export interface ExistingUser extends User {
  sourcedId: string | null;
  isBlockedByImport: boolean;
}

/** The properties of an existing account that an import can change. */
type Changes = Partial<
  Pick<User, 'firstName' | 'lastName' | 'email' | 'mobile' | 'role' | 'isBlocked'> & { sourcedId: string }
>;

interface Refusal<Action> {
  action: Action;
  message: string;
  field?: string;
  account?: ExistingUser;
}

export type UserPlan =
  | { action: 'create' }
  | {
      action: 'update' | 'delete' | 'unchanged';
      account: ExistingUser;
      changes?: Changes;
      /** The account existed before any import referred to it. */
      isAdopted?: boolean;
      message?: string;
    }
  | Refusal<'ignored'>
  | Refusal<'error'>
  | { action: 'absent' };

/** The stored plan for one account. Null leaves the account's value unchanged. */
export interface PlanRow
  extends Nullable<
    Pick<User, 'firstName' | 'lastName' | 'email' | 'mobile' | 'role' | 'isBlocked' | 'passwordHash'>
  > {
  line: number;
  sourcedId: string;
  action: 'create' | 'update' | 'delete' | 'unchanged';
  userId: number;
  isAdopted: boolean;
  revision: number;
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

/**
 * Decides what an import does to one account. It matches an existing account by the sourcedId of an earlier import,
 * otherwise by email address or mobile number. Repeating an import therefore changes nothing.
 */
export function planImportedUser(imported: ImportedUser, existing: ExistingUser[]): UserPlan {
  const bySourcedId = existing.find(({ sourcedId }) => sourcedId === imported.sourcedId);
  if (imported.isDeleted) return planDeletion(bySourcedId);

  const byEmail = existing.find(({ email }) => imported.email !== null && isSameEmail(email, imported.email));
  const byMobile = existing.find(({ mobile }) => imported.mobile !== null && mobile === imported.mobile);
  const account = bySourcedId ?? byEmail ?? byMobile;
  if (byEmail && byEmail !== account) return taken('email', byEmail);
  if (byMobile && byMobile !== account) return taken('mobile', byMobile);
  if (account === byEmail && !bySourcedId && account && hasUnprovenAddress(account)) return unprovenAddress;
  if (!account) return hasContactDetail(imported) ? { action: 'create' } : contactDetailMissing;
  if (!bySourcedId && account.sourcedId !== null)
    return taken(account === byEmail ? 'email' : 'mobile', account);
  return refuseAdministrator(account) ?? planUpdate(account, imported, { isAdopted: !bySourcedId });
}

function planDeletion(account: ExistingUser | undefined): UserPlan {
  if (!account) return { action: 'absent' };
  return refuseAdministrator(account) ?? { action: 'delete', account };
}

function planUpdate(
  account: ExistingUser,
  imported: ImportedUser,
  { isAdopted }: { isAdopted: boolean },
): UserPlan {
  const changes = changesOf(account, imported);
  const action = Object.keys(changes).length > 0 ? 'update' : 'unchanged';
  const staysBlocked = imported.isEnabled === true && account.isBlocked && changes.isBlocked === undefined;
  const plan = { action, account, changes, isAdopted } as const;
  if (staysBlocked)
    return { ...plan, message: 'An administrator has blocked this account. It stays blocked.' };
  if (isAdopted)
    return { ...plan, message: 'An account with this address already exists. The import takes it over.' };
  return plan;
}

const contactDetailMissing: UserPlan = {
  action: 'error',
  field: 'email',
  message: 'A new account needs an email address, or a mobile number in international form.',
};

const unprovenAddress: UserPlan = {
  action: 'error',
  field: 'email',
  message: 'The email belongs to an account that a sign-in created, and nobody has verified the address.',
};

const hasContactDetail = ({ email, mobile }: ImportedUser): boolean => email !== null || mobile !== null;

// An import neither promotes nor changes administrators, because its file comes from another program.
function refuseAdministrator(account: ExistingUser): UserPlan | undefined {
  const message = 'This account belongs to an administrator. An import cannot change it.';
  return account.role === 'admin' ? { action: 'ignored', message, account } : undefined;
}

const taken = (field: 'email' | 'mobile', { sourcedId }: ExistingUser): UserPlan => {
  const owner = sourcedId === null ? 'another account' : `the account of sourcedId ${sourcedId}`;
  return { action: 'error', field, message: `The ${field} already belongs to ${owner}.` };
};

function changesOf(account: ExistingUser, imported: ImportedUser): Changes {
  const { firstName, role, sourcedId } = imported;
  // A file can omit the last cells of a row.
  const lastName = imported.lastName || account.lastName;
  const email = imported.email ?? account.email;
  const mobile = imported.mobile ?? account.mobile;
  const isBlocked = isBlockedAfter(account, imported);
  const next = { firstName, lastName, email, mobile, role, isBlocked, sourcedId };
  const changed = Object.entries(next).filter(([name, value]) => account[name as keyof Changes] !== value);
  return Object.fromEntries(changed);
}

// An import only unblocks accounts that an import has blocked.
function isBlockedAfter(account: ExistingUser, { isEnabled }: ImportedUser): boolean {
  if (isEnabled === false) return true;
  return isEnabled === true && account.isBlockedByImport ? false : account.isBlocked;
}

const isSameEmail = (one: string | null, other: string): boolean =>
  one?.toLowerCase() === other.toLowerCase();

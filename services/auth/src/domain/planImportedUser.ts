import type { User } from './user.ts';

/** An account as an import describes it. What is null is not described: an account that is there keeps its own. */
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

/** An account that is there, and what an earlier import called it. */
export interface KnownUser extends User {
  sourcedId: string | null;
  /** An import has blocked it. */
  isBlockedByImport: boolean;
}

/** What an import may change of an account that is there. */
type Changes = Partial<
  Pick<User, 'firstName' | 'lastName' | 'email' | 'mobile' | 'role' | 'isBlocked'> & { sourcedId: string }
>;

interface Refusal<Action> {
  action: Action;
  message: string;
  field?: string;
  account?: KnownUser;
}

export type UserPlan =
  | { action: 'create' }
  | {
      action: 'update' | 'delete' | 'unchanged';
      account: KnownUser;
      changes?: Changes;
      isAdopted?: boolean;
      note?: string;
    }
  | Refusal<'ignored'>
  | Refusal<'error'>
  | { action: 'absent' };

/**
 * What is to become of an account. It is known by the name that an earlier import gave it, else by its address or
 * number; so an import that is repeated finds everything as it wants it.
 */
export function planImportedUser(wanted: ImportedUser, known: KnownUser[]): UserPlan {
  const own = known.find(({ sourcedId }) => sourcedId === wanted.sourcedId);
  if (wanted.isDeleted)
    return own ? (refuseAdministrator(own) ?? { action: 'delete', account: own }) : absent;

  const byEmail = known.find(({ email }) => wanted.email !== null && isSame(email, wanted.email));
  const byMobile = known.find(({ mobile }) => wanted.mobile !== null && mobile === wanted.mobile);
  const account = own ?? byEmail ?? byMobile;
  if (byEmail && byEmail !== account) return taken('email', byEmail);
  if (byMobile && byMobile !== account) return taken('mobile', byMobile);
  if (!account) return isReachable(wanted) ? { action: 'create' } : unreachable;
  if (!own && account.sourcedId !== null) return taken(account === byEmail ? 'email' : 'mobile', account);

  const refused = refuseAdministrator(account);
  if (refused) return refused;
  const changes = changesOf(account, wanted);
  const isAdopted = !own;
  const action = Object.keys(changes).length > 0 ? 'update' : 'unchanged';
  const staysBlocked = wanted.isEnabled === true && account.isBlocked && changes.isBlocked === undefined;
  return {
    ...{ action, account, changes, isAdopted },
    ...(isAdopted ? { note: 'The account was there before, with the same address: it is taken over.' } : {}),
    ...(staysBlocked ? { note: 'An administrator has blocked the account: it stays blocked.' } : {}),
  };
}

const absent: UserPlan = { action: 'absent' };
const unreachable: UserPlan = {
  action: 'error',
  field: 'email',
  message: 'A new account needs an email address, or a mobile number in international form.',
};

const isReachable = ({ email, mobile }: ImportedUser): boolean => email !== null || mobile !== null;

// Nobody becomes or stops being an administrator by a file that a timetable program has written.
function refuseAdministrator(account: KnownUser): UserPlan | undefined {
  const message = 'The account administers Gradeway: no import changes it.';
  return account.role === 'admin' ? { action: 'ignored', message, account } : undefined;
}

const taken = (field: 'email' | 'mobile', { sourcedId }: KnownUser): UserPlan => {
  const whose = sourcedId === null ? 'another account' : `the account of sourcedId ${sourcedId}`;
  return { action: 'error', field, message: `The ${field} belongs to ${whose} already.` };
};

function changesOf(account: KnownUser, wanted: ImportedUser): Changes {
  const { firstName, lastName, role, sourcedId } = wanted;
  const email = wanted.email ?? account.email;
  const mobile = wanted.mobile ?? account.mobile;
  const next = { firstName, lastName, email, mobile, role, isBlocked: isBlocked(account, wanted), sourcedId };
  const changed = Object.entries(next).filter(([name, value]) => account[name as keyof Changes] !== value);
  return Object.fromEntries(changed);
}

function isBlocked(account: KnownUser, { isEnabled }: ImportedUser): boolean {
  if (isEnabled === false) return true;
  return isEnabled === true && account.isBlockedByImport ? false : account.isBlocked;
}

const isSame = (one: string | null, other: string): boolean => one?.toLowerCase() === other.toLowerCase();

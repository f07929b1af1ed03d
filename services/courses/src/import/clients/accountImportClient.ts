import type { AuthServiceClient, PlannedUser, User } from '@gradeway/proto/auth';
import type { GrpcClient } from '@gradeway/shared/grpc/client';
import type { Account, UserDecision } from '../data/planRepository.ts';

/** An account as the archive describes it. */
export interface ImportedAccount {
  line: number;
  sourcedId: string;
  isDeleted: boolean;
  wanted: Record<string, string | boolean | null>;
  password: string;
}

const longestPassword = 300;

// Passwords are hashed meanwhile, a hundred or more to a call, on whatever cores there are.
const planning = { timeoutMs: 25_000 };
// One transaction over all accounts of the import.
const committing = { timeoutMs: 28_000 };

// How OneRoster calls what auth complains of.
const columns: Record<string, string> = {
  ...{
    first_name: 'givenName',
    last_name: 'familyName',
    email: 'email',
    mobile: 'sms',
    password: 'password',
  },
  role: 'role',
};

/** What courses asks of auth for an import. Everything may be asked again. Out of reach is AppError `unavailable`. */
export function createImportAccounts(client: GrpcClient<AuthServiceClient>) {
  return {
    /** Plans these accounts, 100 at most, as part of an import. */
    async plan(importId: string, expiresAt: Date, accounts: ImportedAccount[]): Promise<UserDecision[]> {
      const seconds = Math.ceil(expiresAt.getTime() / 1000);
      const users = accounts.map(({ line, sourcedId, isDeleted, wanted, password }) => ({
        // One that is too long is refused as it is; not all of it is needed for that.
        ...{ line, sourcedId, isDeleted, password: password.slice(0, longestPassword) },
        ...{ firstName: text(wanted.firstName), lastName: text(wanted.lastName), role: text(wanted.role) },
        ...{ email: text(wanted.email), mobile: text(wanted.mobile) },
        ...(typeof wanted.isEnabled === 'boolean' ? { isEnabled: wanted.isEnabled } : {}),
      }));
      const request = { importId, expiresAt: { seconds, nanos: 0 }, users };
      const answer = await client.call('planImport', request, planning);
      return answer.users.map(decision);
    },
    /** The accounts that earlier imports gave these names, 500 at most; of those that there are. */
    async find(sourcedIds: string[]): Promise<{ sourcedId: string; account: Account }[]> {
      const { users } = await client.call('findImportedUsers', { sourcedIds });
      return users.flatMap(({ sourcedId, account }) =>
        account ? [{ sourcedId, account: toAccount(account) }] : [],
      );
    },
    /** False when the accounts are not what they were when they were planned. */
    async reserve(importId: string): Promise<boolean> {
      return (await client.call('reserveImport', { importId }, committing)).isReserved;
    },
    async release(importId: string): Promise<void> {
      await client.call('releaseImport', { importId }, committing);
    },
    async complete(importId: string): Promise<void> {
      await client.call('completeImport', { importId }, committing);
    },
  };
}

export type ImportAccounts = ReturnType<typeof createImportAccounts>;

const text = (value: string | boolean | null | undefined): string => (typeof value === 'string' ? value : '');

function decision({ line, action, account, changes, messages }: PlannedUser): UserDecision {
  return {
    ...{ line, action, account: account ? toAccount(account) : null },
    changes: Object.fromEntries(
      changes.map(({ field, before, after }) => [field, [value(field, before), value(field, after)]]),
    ),
    messages: messages.map(({ field, message }) =>
      field ? `${columns[field] ?? field}: ${message}` : message,
    ),
  };
}

const value = (field: string, written: string | undefined): string | boolean | null =>
  field === 'is_blocked' && written !== undefined ? written === 'true' : (written ?? null);

const toAccount = ({ userId, firstName, lastName, email, revision }: User): Account => ({
  ...{ userId, firstName, lastName, email, revision },
});

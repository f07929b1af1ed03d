import type { AuthServiceClient, PlannedUser, User } from '@gradeway/proto/auth';
import type { GrpcClient } from '@gradeway/shared/grpc/client';
import type { Account, KnownAccount, UserDecision, UserRow } from '../domain/importedUser.ts';

const maxPasswordLength = 300;

// The call hashes up to a hundred passwords, possibly on a single core.
const planTimeout = { timeoutMs: 25_000 };
// One transaction over all accounts of the import.
const commitTimeout = { timeoutMs: 28_000 };

// Columns by auth's field names, for error messages.
const oneRosterColumns: Record<string, string> = {
  first_name: 'givenName',
  last_name: 'familyName',
  email: 'email',
  mobile: 'sms',
  password: 'password',
  role: 'role',
};

/**
 * Client of auth's account import. Every call is idempotent, and throws AppError `unavailable` when auth is
 * unreachable.
 */
export function createAccountImportClient(client: GrpcClient<AuthServiceClient>) {
  return {
    /** Plans at most 100 accounts as part of an import. */
    async plan(
      importId: string,
      expiresAt: Date,
      rows: (UserRow & { password: string })[],
      columns = oneRosterColumns,
    ): Promise<UserDecision[]> {
      const seconds = Math.ceil(expiresAt.getTime() / 1000);
      const request = { importId, expiresAt: { seconds, nanos: 0 }, users: rows.map(toUserMessage) };
      const { users } = await client.call('planImport', request, planTimeout);
      return users.map((user) => toDecision(user, columns));
    },

    /** Returns the accounts with these addresses. At most 500 addresses. */
    async findByEmail(emails: string[]): Promise<Account[]> {
      const { users } = await client.call('findUsers', { emails });
      return users.map(toAccount);
    },

    /** Returns the accounts to which earlier imports assigned these sourcedIds. At most 500 sourcedIds. */
    async find(sourcedIds: string[]): Promise<KnownAccount[]> {
      const { users } = await client.call('findImportedUsers', { sourcedIds });
      return users.flatMap(({ sourcedId, account }) =>
        account ? [{ sourcedId, account: toAccount(account) }] : [],
      );
    },

    /** Returns false if the accounts have changed since they were planned. */
    async reserve(importId: string): Promise<boolean> {
      return (await client.call('reserveImport', { importId }, commitTimeout)).isReserved;
    },

    async release(importId: string): Promise<void> {
      await client.call('releaseImport', { importId }, commitTimeout);
    },

    async complete(importId: string): Promise<void> {
      await client.call('completeImport', { importId }, commitTimeout);
    },
  };
}

export type AccountImportClient = ReturnType<typeof createAccountImportClient>;

const toUserMessage = ({ line, sourcedId, isDeleted, wanted, password }: UserRow & { password: string }) => ({
  line,
  sourcedId,
  isDeleted,
  firstName: text(wanted.firstName),
  lastName: text(wanted.lastName),
  role: text(wanted.role),
  email: text(wanted.email),
  mobile: text(wanted.mobile),
  // Auth rejects a longer password anyway, so the rest need not be sent.
  password: password.slice(0, maxPasswordLength),
  ...(typeof wanted.isEnabled === 'boolean' ? { isEnabled: wanted.isEnabled } : {}),
});

const text = (value: string | boolean | null | undefined): string => (typeof value === 'string' ? value : '');

function toDecision(
  { line, action, account, changes, messages }: PlannedUser,
  columns: Record<string, string>,
): UserDecision {
  return {
    line,
    action,
    account: account ? toAccount(account) : null,
    changes: Object.fromEntries(
      changes.map(({ field, before, after }) => [
        field,
        [fieldValue(field, before), fieldValue(field, after)],
      ]),
    ),
    messages: messages.map(({ field, message }) =>
      field ? `${columns[field] ?? field}: ${message}` : message,
    ),
  };
}

const fieldValue = (field: string, value: string | undefined): string | boolean | null =>
  field === 'is_blocked' && value !== undefined ? value === 'true' : (value ?? null);

const toAccount = ({ userId, firstName, lastName, email, role, revision }: User): Account => ({
  userId,
  firstName,
  lastName,
  email,
  role,
  revision,
});

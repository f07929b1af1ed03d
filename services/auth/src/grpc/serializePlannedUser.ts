import type { PlannedUser } from '../domain/planImportBatch.ts';
import type { ImportedUser } from '../domain/planImportedUser.ts';
import type { User } from '../domain/user.ts';
import { serializeUser } from './serializeUser.ts';

export function serializePlannedUser({ imported, plan, newUserId }: PlannedUser) {
  const { line } = imported;
  switch (plan.action) {
    case 'create': {
      const properties = newUserProperties(imported);
      const account = { userId: newUserId ?? 0, ...properties, revision: 1 };
      return { line, action: plan.action, account, changes: serializeChanges({}, properties), messages: [] };
    }
    case 'absent': {
      const message = 'There is no account with this sourcedId, so there is nothing to delete.';
      return { line, action: 'unchanged', changes: [], messages: [{ field: '', message }] };
    }
    case 'ignored':
    case 'error': {
      const messages = [{ field: plan.field ?? '', message: plan.message }];
      const account = plan.account ? { account: serializeUser(plan.account) } : {};
      return { line, action: plan.action, ...account, changes: [], messages };
    }
    default: {
      const { action, account, changes = {}, message } = plan;
      return {
        line,
        action,
        account: serializeUser(account),
        changes: serializeChanges({ ...account }, changes),
        messages: message ? [{ field: '', message }] : [],
      };
    }
  }
}

const newUserProperties = ({ firstName, lastName, email, role, isEnabled }: ImportedUser) => ({
  firstName,
  lastName,
  email: email ?? '',
  role,
  isBlocked: isEnabled === false,
});

const fieldNames: Record<string, string> = {
  firstName: 'first_name',
  lastName: 'last_name',
  email: 'email',
  mobile: 'mobile',
  role: 'role',
  isBlocked: 'is_blocked',
  sourcedId: 'sourced_id',
};

function serializeChanges(
  before: Partial<Record<string, unknown>>,
  after: Partial<User & { sourcedId: string }>,
) {
  return Object.entries(after).flatMap(([name, value]) => {
    const [oldText, newText] = [toText(before[name]), toText(value)];
    if (oldText === undefined && newText === undefined) return [];
    return {
      field: fieldNames[name] ?? name,
      ...(oldText === undefined ? {} : { before: oldText }),
      ...(newText === undefined ? {} : { after: newText }),
    };
  });
}

const toText = (value: unknown): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : String(value);

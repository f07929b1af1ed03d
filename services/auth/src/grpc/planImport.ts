import type { AuthServiceHandlers, ImportedUser as ImportedUserMessage } from '@gradeway/proto/auth';
import { invalid } from '@gradeway/shared/errors/appError';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import { checkInput } from '@gradeway/shared/http/validation';
import type { Sequelize } from 'sequelize';
import type { ImportRepository } from '../data/importRepository.ts';
import { completeImport, releaseImport, reserveImport } from '../domain/completeImport.ts';
import type { SessionDependencies } from '../domain/endSessions.ts';
import type { Passwords } from '../domain/passwordHasher.ts';
import { type PlannedUser, planImport } from '../domain/planImport.ts';
import type { ImportedUser } from '../domain/planImportedUser.ts';
import type { User } from '../domain/user.ts';
import { userFields } from '../http/schemas.ts';
import { userMessage } from './serializeUser.ts';

export interface ImportDependencies extends SessionDependencies {
  sequelize: Sequelize;
  imports: ImportRepository;
  passwords: Passwords;
}

type ImportRpcs = Pick<
  Rpcs<AuthServiceHandlers>,
  'PlanImport' | 'FindImportedUsers' | 'ReserveImport' | 'ReleaseImport' | 'CompleteImport'
>;

const mostUsers = 200;
const mostNames = 1_000;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The part of auth in an import, which courses conducts (proto/gradeway/auth/v1/auth.proto). */
export function importRpcs(dependencies: ImportDependencies): ImportRpcs {
  return {
    async PlanImport({ importId, expiresAt, users }) {
      if (users.length > mostUsers) throw invalid({ users: [`At most ${mostUsers} at once.`] });
      const checked = users.map(readUser);
      const planned = await planImport(dependencies, {
        importId: readImportId(importId),
        expiresAt: new Date(Number(expiresAt?.seconds ?? 0) * 1000),
        users: checked.flatMap(({ wanted }) => wanted ?? []),
      });
      const refused = checked.flatMap(({ refusal }) => refusal ?? []);
      return { users: [...planned.map(plannedMessage), ...refused] };
    },
    async FindImportedUsers({ sourcedIds }) {
      if (sourcedIds.length > mostNames) throw invalid({ sourced_ids: [`At most ${mostNames} at once.`] });
      const found = await dependencies.imports.findSourced(sourcedIds);
      return { users: found.map((user) => ({ sourcedId: user.sourcedId, account: userMessage(user) })) };
    },
    ReserveImport: async ({ importId }) => ({
      isReserved: await reserveImport(dependencies, readImportId(importId)),
    }),
    async ReleaseImport({ importId }) {
      await releaseImport(dependencies, readImportId(importId));
      return {};
    },
    async CompleteImport({ importId }) {
      await completeImport(dependencies, readImportId(importId));
      return {};
    },
  };
}

function readImportId(text: string): string {
  if (!uuid.test(text)) throw invalid({ import_id: ['The import id must be a UUID.'] });
  return text;
}

interface Checked {
  wanted?: ImportedUser;
  refusal?: { line: number; action: string; messages: { field: string; message: string }[] };
}

// The rules of an account that an administrator makes are the rules of one that a file makes.
function readUser(user: ImportedUserMessage): Checked {
  const { line, sourcedId, isDeleted } = user;
  const nobody = { firstName: '', lastName: '', email: null, mobile: null, role: 'user' as const };
  if (isDeleted)
    return { wanted: { line, sourcedId, isDeleted, ...nobody, isEnabled: undefined, password: null } };
  const checked = checkInput(userFields, {
    ...{ first_name: user.firstName, last_name: user.lastName, email: user.email, mobile: user.mobile },
    ...{ role: user.role, password: user.password || 'none is given' },
  });
  if (checked.errors) {
    const messages = Object.entries(checked.errors).flatMap(([field, sentences]) =>
      sentences.map((message) => ({ field, message })),
    );
    return { refusal: { line, action: 'error', messages } };
  }
  const { firstName, lastName, email, mobile, role } = checked.value;
  if (role === 'admin') {
    const messages = [{ field: 'role', message: 'No import makes administrators.' }];
    return { refusal: { line, action: 'error', messages } };
  }
  const described = { line, sourcedId, isDeleted, firstName, lastName, email, mobile, role };
  return { wanted: { ...described, isEnabled: user.isEnabled, password: user.password || null } };
}

const names: Record<string, string> = {
  ...{ firstName: 'first_name', lastName: 'last_name', email: 'email', mobile: 'mobile', role: 'role' },
  ...{ isBlocked: 'is_blocked', sourcedId: 'sourced_id' },
};

function plannedMessage({ wanted, plan, userId }: PlannedUser) {
  const { line } = wanted;
  if (plan.action === 'create') {
    const account = { userId: userId ?? 0, ...newAccount(wanted), revision: 1 };
    return { line, action: 'create', account, changes: changesOf({}, newAccount(wanted)), messages: [] };
  }
  if (plan.action === 'absent') {
    const message = 'There is no account of this sourcedId: there is nothing to delete.';
    return { line, action: 'unchanged', changes: [], messages: [{ field: '', message }] };
  }
  if (plan.action === 'ignored' || plan.action === 'error') {
    const messages = [{ field: plan.field ?? '', message: plan.message }];
    const account = plan.account ? { account: userMessage(plan.account) } : {};
    return { line, action: plan.action, ...account, changes: [], messages };
  }
  const { action, account, changes = {}, note } = plan;
  const messages = note ? [{ field: '', message: note }] : [];
  return {
    line,
    action,
    account: userMessage(account),
    changes: changesOf({ ...account }, changes),
    messages,
  };
}

const newAccount = ({ firstName, lastName, email, role, isEnabled }: ImportedUser) => ({
  ...{ firstName, lastName, email: email ?? '', role },
  isBlocked: isEnabled === false,
});

function changesOf(before: Partial<Record<string, unknown>>, after: Partial<User & { sourcedId: string }>) {
  return Object.entries(after).flatMap(([name, value]) => {
    const [was, is] = [asText(before[name]), asText(value)];
    if (was === undefined && is === undefined) return [];
    return {
      field: names[name] ?? name,
      ...(was === undefined ? {} : { before: was }),
      ...(is === undefined ? {} : { after: is }),
    };
  });
}

const asText = (value: unknown): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : String(value);

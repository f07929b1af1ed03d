import type { ServiceDependencies } from '../dependencies.ts';
import type { PasswordHasher } from './passwordHasher.ts';
import { type ImportedUser, type PlanRow, planImportedUser, type UserPlan } from './planImportedUser.ts';

type Dependencies = Pick<ServiceDependencies, 'imports' | 'passwordHasher'>;

interface Batch {
  importId: string;
  expiresAt: Date;
  users: ImportedUser[];
}

export interface PlannedUser {
  imported: ImportedUser;
  plan: UserPlan;
  /** The id allocated for an account that the import creates. */
  newUserId?: number;
}

// Leaves CPU time for simultaneous logins.
const concurrentHashes = 2;

/** Plans a batch of imported accounts and saves the plan. No account changes. */
export async function planImportBatch(
  { imports, passwordHasher }: Dependencies,
  { importId, expiresAt, users }: Batch,
): Promise<PlannedUser[]> {
  const existing = await imports.findMatching(users);
  const planned: PlannedUser[] = users.map((imported) => ({
    imported,
    plan: planImportedUser(imported, existing),
  }));
  const created = planned.filter(({ plan }) => plan.action === 'create');
  const newUserIds = await imports.allocateUserIds(created.length);
  for (const [index, user] of created.entries()) user.newUserId = newUserIds[index] as number;
  const hashes = await hashPasswords(passwordHasher, created);
  await imports.savePlan(
    { importId, expiresAt },
    users.map(({ line }) => line),
    planned.flatMap((user) => toPlanRow(user, hashes.get(user.imported.line)) ?? []),
  );
  return planned;
}

async function hashPasswords(
  passwordHasher: PasswordHasher,
  created: PlannedUser[],
): Promise<Map<number, string>> {
  const hashes = new Map<number, string>();
  const hashPassword = async ({ imported: { line, password } }: PlannedUser) => {
    const hash = password === null ? passwordHasher.unknownPasswordHash : await passwordHasher.hash(password);
    hashes.set(line, hash);
  };
  for (let start = 0; start < created.length; start += concurrentHashes)
    await Promise.all(created.slice(start, start + concurrentHashes).map(hashPassword));
  return hashes;
}

/** Returns the row to store; undefined if the import does not affect the account. */
function toPlanRow({ imported, plan, newUserId }: PlannedUser, passwordHash = ''): PlanRow | undefined {
  const { line, sourcedId } = imported;
  switch (plan.action) {
    case 'create': {
      const { firstName, lastName, email, mobile, role, isEnabled } = imported;
      const values = {
        firstName,
        lastName,
        email,
        mobile,
        role,
        isBlocked: isEnabled === false,
        passwordHash,
      };
      const key = { line, sourcedId, userId: newUserId ?? 0, isAdopted: false, revision: 0 };
      return { ...key, action: 'create', ...values };
    }
    case 'update':
    case 'delete':
    case 'unchanged': {
      const { action, account, changes, isAdopted = false } = plan;
      const key = { line, sourcedId, userId: account.id, isAdopted, revision: account.revision };
      return { ...noChanges, ...changes, ...key, action };
    }
    default:
      return undefined;
  }
}

const noChanges = {
  firstName: null,
  lastName: null,
  email: null,
  mobile: null,
  role: null,
  isBlocked: null,
  passwordHash: null,
};

import type { ImportRepository, PlanRow } from '../data/importRepository.ts';
import type { Passwords } from './passwordHasher.ts';
import { type ImportedUser, planImportedUser, type UserPlan } from './planImportedUser.ts';

interface Dependencies {
  imports: ImportRepository;
  passwords: Passwords;
}

interface Batch {
  importId: string;
  expiresAt: Date;
  users: ImportedUser[];
}

export interface PlannedUser {
  wanted: ImportedUser;
  plan: UserPlan;
  /** Of the account that there is or will be. */
  userId?: number;
}

// People who log in meanwhile find a core that is free.
const hashedAtOnce = 2;

/** Plans a batch of accounts of an import and keeps the plan. No account changes. */
export async function planImport({ imports, passwords }: Dependencies, batch: Batch): Promise<PlannedUser[]> {
  const { importId, expiresAt, users } = batch;
  const known = await imports.findKnown(users);
  const planned: PlannedUser[] = users.map((wanted) => ({ wanted, plan: planImportedUser(wanted, known) }));
  const created = planned.filter(({ plan }) => plan.action === 'create');
  const ids = await imports.nextUserIds(created.length);
  for (const [index, each] of created.entries()) each.userId = ids[index] as number;
  const hashes = await hashPasswords(passwords, created);
  await imports.putPlan(
    { importId, expiresAt },
    users.map(({ line }) => line),
    planned.flatMap((each) => rowOf(each, hashes.get(each.wanted.line)) ?? []),
  );
  return planned;
}

async function hashPasswords(passwords: Passwords, created: PlannedUser[]): Promise<Map<number, string>> {
  const hashes = new Map<number, string>();
  for (let start = 0; start < created.length; start += hashedAtOnce)
    await Promise.all(
      created.slice(start, start + hashedAtOnce).map(async ({ wanted: { line, password } }) => {
        hashes.set(line, password === null ? passwords.unknown : await passwords.hash(password));
      }),
    );
  return hashes;
}

function rowOf({ wanted, plan, userId }: PlannedUser, passwordHash = ''): PlanRow | undefined {
  const { line, sourcedId } = wanted;
  if (plan.action === 'create') {
    const { firstName, lastName, email, mobile, role, isEnabled } = wanted;
    const values = { firstName, lastName, email, mobile, role, isBlocked: isEnabled === false, passwordHash };
    const key = { line, sourcedId, userId: userId ?? 0, isAdopted: false, revision: 0 };
    return { ...key, action: 'create', ...values };
  }
  if (plan.action === 'absent' || plan.action === 'ignored' || plan.action === 'error') return undefined;
  const { action, changes, isAdopted = false } = plan;
  const { id, revision } = plan.account;
  const nothing = { firstName: null, lastName: null, email: null, mobile: null, role: null, isBlocked: null };
  const key = { line, sourcedId, userId: id, isAdopted, revision };
  return { ...nothing, ...changes, ...key, action, passwordHash: null };
}

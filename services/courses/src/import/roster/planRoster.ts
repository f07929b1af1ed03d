import { randomBytes, randomUUID } from 'node:crypto';
import type { LineError } from '@gradeway/shared/csv/tableFile';
import { batches } from '@gradeway/shared/database/batches';
import type { ImportDependencies } from '../dependencies.ts';
import type { RosterOwner } from '../domain/import.ts';
import { ImportLease } from '../domain/importLease.ts';
import { findAccounts } from './findAccounts.ts';
import type { Roster } from './readRoster.ts';
import { toImportRows } from './rosterRows.ts';
import type { FoundStudent, PlannedStudent } from './rosterStudent.ts';

interface RosterRequest extends RosterOwner {
  /** Whether accounts are created for addresses that have none. */
  createsAccounts: boolean;
  roster: Roster;
}

/** The effect of a roster, in numbers of students. */
export interface RosterEffect {
  /** New students of the course, with and without a new account, and those whose enrollment becomes paid. */
  enrolled: number;
  /** New accounts. */
  created: number;
  unchanged: number;
}

interface RosterPlan extends RosterEffect {
  errors: LineError[];
  /** Applies exactly this plan; null if there are errors. Only its hash is stored. */
  token: string | null;
}

// How long the token of a dry run is valid and its rows are stored.
const planTtlMs = 86_400_000;
const rowsPerStatement = 500;

/** Plans the enrollments of a roster as an import, which {@link commitImport} applies. Writes only the plan. */
export async function planRoster(
  dependencies: ImportDependencies,
  request: RosterRequest,
): Promise<RosterPlan> {
  const { imports, plans, rosters, accounts, log } = dependencies;
  const { courseId, userId } = request;
  const id = randomUUID();
  using lease = new ImportLease();
  const plan = await imports.create({
    ...{ id, courseId, isPaid: true, createdBy: userId, ttlMs: planTtlMs, leaseHolder: lease.holder },
  });
  if (!plan) throw new Error('an import with a new id already exists');
  lease.startRenewing(imports, id, log);
  try {
    // Registers the import with auth even when it creates no accounts, because it is reserved and completed in any case.
    await accounts.plan(id, plan.expiresAt, []);
    const { found, errors } = await findAccounts(accounts, plan, request);
    const students = await addEnrollments(rosters, courseId, found);
    const effect = effectOf(students);
    const sorted = [...request.roster.errors, ...errors].toSorted((one, other) => one.line - other.line);
    if (sorted.length > 0) {
      await imports.delete(id);
      return { ...effect, errors: sorted, token: null };
    }
    const rows = toImportRows(courseId, students);
    for (const batch of batches(rows, rowsPerStatement)) await rosters.insertRows(id, batch);
    await plans.analyze();
    const token = randomBytes(32).toString('base64url');
    const finished = await imports.finishPlan(id, lease.holder, { token, rows: rows.length, ignored: [] });
    if (!finished) throw new Error(`the lease of import ${id} expired before its plan was finished`);
    return { ...effect, errors: [], token };
  } catch (error) {
    await imports.delete(id).catch(() => {
      // The lease expires, and the job in finishImports.ts deletes the import.
    });
    throw error;
  }
}

async function addEnrollments(
  rosters: ImportDependencies['rosters'],
  courseId: number,
  found: FoundStudent[],
): Promise<PlannedStudent[]> {
  const ids = found.filter(({ isNew }) => !isNew).map(({ account }) => account.userId);
  const enrollments = new Map(
    (await rosters.enrollmentsOf(courseId, ids)).map((enrollment) => [enrollment.userId, enrollment]),
  );
  return found.map((student) => {
    const { isEnrolled = false, paid = false, revision = 0 } = enrollments.get(student.account.userId) ?? {};
    const action = !isEnrolled ? 'create' : paid ? 'unchanged' : 'update';
    return { ...student, action, revision };
  });
}

const effectOf = (students: PlannedStudent[]): RosterEffect => ({
  enrolled: students.filter(({ action }) => action !== 'unchanged').length,
  created: students.filter(({ isNew }) => isNew).length,
  unchanged: students.filter(({ action }) => action === 'unchanged').length,
});

import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '@gradeway/shared/database/connection';
import { AppError, invalid } from '@gradeway/shared/errors/appError';
import type { CloudEvent } from '@gradeway/shared/events/cloudEvent';
import type { Transaction } from 'sequelize';
import { classChanged, classDeleted } from '../../events/classEvents.ts';
import { courseChanged, courseDeleted } from '../../events/courseEvents.ts';
import { enrollmentChanged, enrollmentDeleted } from '../../events/enrollmentEvents.ts';
import { instructorAssigned, instructorRemoved } from '../../teaching/events/instructorEvents.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { auditImport } from './auditImport.ts';
import { finishImport } from './finishImports.ts';
import { type Import, type RosterOwner, StalePlan } from './import.ts';
import { ImportLease } from './importLease.ts';

// Long enough for the lease of a process that died during a commit to expire (5 s).
const maxWaitMs = 20_000;
const pollMs = 250;

/**
 * Commits the plan of a dry run. Idempotent: a repeated call changes nothing and returns the same result. If the
 * returned import is `committed`, the commit is final but auth was unreachable; the job in finishImports.ts completes
 * it.
 * @param roster given for the roster of a course instead of an archive
 * @throws AppError `invalid` for an unknown token, `conflict` when the plan is stale or another import is committing
 */
export async function commitImport(
  dependencies: ImportDependencies,
  token: string,
  roster?: RosterOwner,
): Promise<Import> {
  const plan = await dependencies.imports.findByToken(token, roster);
  if (!plan) throw invalid({ token: ['The token is unknown or has expired. Start another dry run.'] });
  return commitOrWait(dependencies, plan.id);
}

/**
 * Commits an import. Only one commits at a time, so this waits for another import or a concurrent commit of the same
 * one.
 */
async function commitOrWait(dependencies: ImportDependencies, id: string): Promise<Import> {
  const { imports } = dependencies;
  const deadline = Date.now() + maxWaitMs;
  for (;;) {
    const current = await imports.find(id);
    if (!current) throw invalid({ token: ['The token has expired. Start another dry run.'] });
    if (current.state === 'done') return current;
    if (current.state === 'planned') {
      using lease = new ImportLease();
      const begun = await imports.beginCommit(id, lease.holder);
      if (begun) return await commit(dependencies, begun, lease);
    }
    if (Date.now() > deadline) {
      if (current.state === 'committed') return current;
      throw new AppError('conflict', 'Another import is in progress. Nothing was changed. Try again later.', {
        reason: 'import_in_progress',
        headers: { 'Retry-After': '5' },
      });
    }
    await sleep(pollMs);
  }
}

async function commit(dependencies: ImportDependencies, plan: Import, lease: ImportLease): Promise<Import> {
  const { id } = plan;
  const { imports, accounts, log } = dependencies;
  lease.startRenewing(imports, id, log);
  try {
    if (!(await accounts.reserve(id))) throw new StalePlan('accounts have changed since they were planned');
    await inTransaction(dependencies.sequelize, (transaction) =>
      applyPlan(dependencies, plan, lease, transaction),
    );
  } catch (error) {
    await rollBack(dependencies, id, lease);
    throw error instanceof StalePlan ? stalePlan(plan, error) : error;
  }
  return finishImport(dependencies, id);
}

/** Applies the plan in one transaction. The commit point: the transaction also marks the import as committed. */
async function applyPlan(
  { commits, imports, outbox, audit }: ImportDependencies,
  plan: Import,
  { holder, progress }: ImportLease,
  transaction: Transaction,
): Promise<void> {
  const { id } = plan;
  progress.done = 0;
  const publish = (events: CloudEvent[]) => {
    progress.done = (progress.done ?? 0) + events.length;
    return outbox.addAll(events, transaction);
  };
  await commits.requireUnchanged(id, transaction);
  for await (const courses of commits.apply('createCourses', id, transaction))
    await publish(courses.map(courseChanged));
  await commits.requireCourses(id, transaction);
  for await (const classes of commits.apply('createClasses', id, transaction))
    await publish(classes.map(classChanged));
  for await (const classes of commits.apply('changeClasses', id, transaction))
    await publish(classes.map(classChanged));
  await commits.upsertUsers(id, transaction);
  for await (const enrollments of commits.apply('createEnrollments', id, transaction))
    await publish(enrollments.map(enrollmentChanged));
  for await (const enrollments of commits.apply('payEnrollments', id, transaction))
    await publish(enrollments.map(enrollmentChanged));
  for await (const enrollments of commits.apply('endEnrollments', id, transaction))
    await publish(enrollments.map(enrollmentDeleted));
  for await (const instructors of commits.apply('assignInstructors', id, transaction))
    await publish(instructors.map(instructorAssigned));
  for await (const instructors of commits.apply('removeInstructors', id, transaction))
    await publish(instructors.map(instructorRemoved));
  for await (const classes of commits.apply('deleteClasses', id, transaction))
    await publish(classes.map(classDeleted));
  await commits.saveSourcedIds(id, transaction);
  await commits.lockCourses(id, transaction);
  for await (const courses of commits.apply('changeCourses', id, transaction))
    await publish(courses.map(courseChanged));
  for await (const courses of commits.apply('deleteCourses', id, transaction))
    await publish(courses.map(courseDeleted));
  await commits.updateTotals(id, transaction);
  await auditImport({ imports, audit }, plan, transaction);
  // Last, so that a process whose lease has expired in the meantime changes nothing.
  if (!(await imports.markCommitted(id, holder, transaction)))
    throw new Error(`the lease of import ${id} expired before its commit`);
}

/** Releases the accounts in auth after a failure, unless the transaction turns out to be committed. */
async function rollBack(
  { imports, accounts, log }: ImportDependencies,
  id: string,
  { holder }: ImportLease,
): Promise<void> {
  try {
    await imports.abortCommit(id, holder);
    if ((await imports.find(id))?.state !== 'releasing') return;
    await accounts.release(id);
    await imports.markReleased(id);
  } catch (error) {
    log.warn({ err: error, import_id: id }, 'could not roll back an import; will retry');
  }
}

const stalePlan = ({ courseId }: Import, cause: StalePlan) =>
  new AppError('conflict', courseId === null ? staleArchive : 'Changed meanwhile', {
    reason: 'changed_meanwhile',
    cause,
  });

const staleArchive =
  'The school has changed since the dry run, so the import would do something else now. Nothing was changed. Start another dry run.';

import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '@gradeway/shared/database/connection';
import { AppError, invalid } from '@gradeway/shared/errors/appError';
import type { CloudEvent } from '@gradeway/shared/events/cloudEvent';
import type { Transaction } from 'sequelize';
import { classChanged, classDeleted } from '../../events/classEvents.ts';
import { courseChanged, courseDeleted } from '../../events/courseEvents.ts';
import { enrollmentChanged, enrollmentDeleted } from '../../events/enrollmentEvents.ts';
import { StalePlan } from '../data/commitRepository.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { finishImport } from './finishImports.ts';
import type { Import } from './import.ts';
import { Claim } from './importLease.ts';

// A commit whose process died is given up after five seconds; until then whoever asks again waits.
const patienceMs = 20_000;
const askEveryMs = 250;

/**
 * Commits what a dry run has planned. Asked again, it does nothing more and returns the same. An import that comes
 * back `committed` is decided, but auth cannot be reached at the moment: it is carried on until it is `done`.
 * @throws AppError `invalid` for a token that is none, `conflict` when the plan is not what would happen any more
 */
export async function commitImport(dependencies: ImportDependencies, token: string): Promise<Import> {
  const plan = await dependencies.imports.findByToken(token);
  if (!plan) throw invalid({ token: ['The token is unknown or has expired: make another dry run.'] });
  return commitPlan(dependencies, plan.id);
}

async function commitPlan(dependencies: ImportDependencies, id: string): Promise<Import> {
  const { imports } = dependencies;
  const latest = Date.now() + patienceMs;
  for (;;) {
    const present = await imports.find(id);
    if (!present) throw invalid({ token: ['The token has expired: make another dry run.'] });
    if (present.state === 'done') return present;
    if (present.state === 'planned') {
      using claim = new Claim();
      if (await imports.beginCommit(id, claim.holder)) return await carryOut(dependencies, id, claim);
    }
    if (Date.now() > latest) {
      if (present.state === 'committed') return present;
      throw new AppError('conflict', 'Another import is being committed: nothing was changed, try again.', {
        headers: { 'Retry-After': '5' },
      });
    }
    await sleep(askEveryMs);
  }
}

async function carryOut(dependencies: ImportDependencies, id: string, claim: Claim): Promise<Import> {
  const { imports, accounts, log } = dependencies;
  claim.hold(imports, id, log);
  try {
    if (!(await accounts.reserve(id))) throw new StalePlan('auth has other accounts than were planned');
    await inTransaction(dependencies.sequelize, (transaction) =>
      changeAll(dependencies, id, claim, transaction),
    );
  } catch (error) {
    await takeBack(dependencies, id, claim);
    throw error instanceof StalePlan ? stale(error) : error;
  }
  return finishImport(dependencies, id);
}

/** The import's one transaction on this side. That it is committed is committed with it. */
async function changeAll(
  { commits, imports, outbox }: ImportDependencies,
  id: string,
  { holder, progress }: Claim,
  transaction: Transaction,
): Promise<void> {
  const tell = (events: CloudEvent[]) => {
    progress.done = (progress.done ?? 0) + events.length;
    return outbox.addAll(events, transaction);
  };
  progress.done = 0;
  await commits.requireCurrent(id, transaction);
  for await (const made of commits.apply('createCourses', id, transaction))
    await tell(made.map(courseChanged));
  for await (const changed of commits.apply('changeCourses', id, transaction))
    await tell(changed.map(courseChanged));
  await commits.requireCourses(id, transaction);
  for await (const made of commits.apply('createClasses', id, transaction))
    await tell(made.map(classChanged));
  for await (const changed of commits.apply('changeClasses', id, transaction))
    await tell(changed.map(classChanged));
  await commits.putPeople(id, transaction);
  for await (const made of commits.apply('createEnrollments', id, transaction))
    await tell(made.map(enrollmentChanged));
  for await (const ended of commits.apply('endEnrollments', id, transaction))
    await tell(ended.map(enrollmentDeleted));
  for await (const deleted of commits.apply('deleteClasses', id, transaction))
    await tell(deleted.map(classDeleted));
  for await (const deleted of commits.apply('deleteCourses', id, transaction))
    await tell(deleted.map(courseDeleted));
  await commits.putSources(id, transaction);
  await commits.count(id, transaction);
  // The last word: whoever was taken for dead meanwhile changes nothing.
  if (!(await imports.markCommitted(id, holder, transaction)))
    throw new Error(`import ${id} was given up before its commit`);
}

/** After a failure before the commit, or one that nobody knows the outcome of. */
async function takeBack(
  { imports, accounts, log }: ImportDependencies,
  id: string,
  { holder }: Claim,
): Promise<void> {
  try {
    await imports.giveUp(id, holder);
    if ((await imports.find(id))?.state !== 'releasing') return;
    await accounts.release(id);
    await imports.markReleased(id);
  } catch (error) {
    log.warn({ err: error }, 'an import is taken back later');
  }
}

const stale = (cause: unknown) =>
  new AppError(
    'conflict',
    'Something has changed since the dry run, so that the import is not what it would do any more: nothing was changed, make another dry run.',
    { cause },
  );

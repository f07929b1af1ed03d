import { runEvery } from '@gradeway/shared/process/runEvery';
import type { ImportDependencies } from '../dependencies.ts';
import type { Import } from './import.ts';

const intervalMs = 5_000;

/**
 * Completes a committed import in auth. If auth is unreachable, the import stays `committed` and the job below retries.
 */
export async function finishImport(
  { imports, accounts, log }: ImportDependencies,
  id: string,
): Promise<Import> {
  try {
    await accounts.complete(id);
    await imports.markDone(id);
  } catch (error) {
    log.warn({ err: error, import_id: id }, 'could not complete a committed import in auth; will retry');
  }
  const current = await imports.find(id);
  if (!current) throw new Error(`import ${id} disappeared after its commit`);
  return current;
}

/**
 * Cleans up after crashes and outages of auth: completes committed imports, rolls back abandoned commits, and deletes
 * expired plans. Runs every five seconds in every replica, which is safe because every step is idempotent. Returns a
 * function that stops the job.
 */
export function startFinishingImports(dependencies: ImportDependencies): () => Promise<void> {
  return runEvery({
    everyMs: intervalMs,
    startNow: true,
    task: () => finishImports(dependencies),
    log: dependencies.log,
    failureMessage: 'could not finish imports; will retry',
  });
}

async function finishImports(dependencies: ImportDependencies): Promise<void> {
  const { imports, accounts } = dependencies;
  await imports.abortExpiredCommits();
  for (const { id, state } of await imports.unfinished()) {
    if (state === 'committed') {
      await finishImport(dependencies, id);
      continue;
    }
    await accounts.release(id);
    await imports.markReleased(id);
  }
  for (const { id, state } of await imports.expired()) {
    // A delayed reservation may have reached auth after its release.
    if (state === 'planned') await accounts.release(id);
    await imports.delete(id);
  }
}

import type { ImportDependencies } from '../dependencies.ts';
import type { Import } from './import.ts';

const everyMs = 1_000;

/** Tells auth of a committed import. When auth cannot be reached the import stays `committed`, and is told later. */
export async function finishImport(
  { imports, accounts, log }: ImportDependencies,
  id: string,
): Promise<Import> {
  try {
    await accounts.complete(id);
    await imports.markDone(id);
  } catch (error) {
    log.warn({ err: error, import_id: id }, 'an import is committed, auth is told later');
  }
  const present = await imports.find(id);
  if (!present) throw new Error(`import ${id} vanished`);
  return present;
}

/**
 * Ends what a process that died, or an auth that was away, has left undone: a commit that was decided is carried
 * on, one that was not is taken back, and what has expired is forgotten. Every second, in every replica:
 * everything here may be done twice. Returns how to stop.
 */
export function finishImportsRegularly(dependencies: ImportDependencies): () => Promise<void> {
  const { imports, accounts, log } = dependencies;
  let running = Promise.resolve();
  let isBusy = false;

  async function finish(): Promise<void> {
    await imports.giveUpDead();
    for (const { id, state } of await imports.unfinished()) {
      if (state === 'committed') {
        await finishImport(dependencies, id);
        continue;
      }
      await accounts.release(id);
      await imports.markReleased(id);
    }
    for (const { id, state } of await imports.forgotten()) {
      // Should a reservation have reached auth after it was taken back.
      if (state === 'planned') await accounts.release(id);
      await imports.delete(id);
    }
  }

  const begin = () => {
    if (isBusy) return;
    isBusy = true;
    running = finish()
      .catch((error) => log.warn({ err: error }, 'imports are finished later'))
      .finally(() => {
        isBusy = false;
      });
  };
  begin();
  const timer = setInterval(begin, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

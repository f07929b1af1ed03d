import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../process/logger.ts';
import { runEvery } from '../process/runEvery.ts';

// Longer than any upload takes, so an older file is left over from a crash.
const abandonedAfterMs = 3_600_000;

/**
 * Creates the directory of uploads in progress. Deletes files left over from a crash, now and every hour. Replicas may
 * share the directory. Returns a function that stops the hourly run.
 */
export async function prepareUploadDirectory(directory: string, log: Logger): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const task = () => deleteAbandoned(directory);
  const failureMessage = 'could not sweep the upload directory';
  await task().catch((error) => log.warn({ err: error }, failureMessage));
  return runEvery({ everyMs: abandonedAfterMs, task, log, failureMessage });
}

async function deleteAbandoned(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(directory, entry.name);
    // The file may be gone: its upload has ended, or another replica has deleted it.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(path, { force: true });
  }
}

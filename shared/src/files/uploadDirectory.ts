import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../process/logger.ts';

// No upload takes as long: what is older was left by a process that was killed.
const abandonedAfterMs = 3_600_000;

/**
 * Makes a directory for what is just arriving, and removes what a crash left in it: now, and every hour. Replicas may
 * share it: what is an hour old is nobody's any more. Returns how to stop.
 */
export async function prepareUploadDirectory(directory: string, log: Logger): Promise<() => void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const sweep = () =>
    removeAbandoned(directory).catch((error) => log.warn({ err: error }, 'could not sweep what has arrived'));
  await sweep();
  const timer = setInterval(sweep, abandonedAfterMs);
  return () => clearInterval(timer);
}

async function removeAbandoned(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(directory, entry.name);
    // Gone already: another replica was faster, or it has arrived.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(path, { force: true });
  }
}

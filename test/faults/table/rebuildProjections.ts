import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LocalSystem } from '@gradeway/test/localSystem';

/** Runs `npm run projections:rebuild`, which publishes all grades again, on a local run. */
export async function rebuildProjections(system: LocalSystem, eventsUrl: string): Promise<void> {
  const script = fileURLToPath(new URL('../../../local/dist/maintenanceCli.js', import.meta.url));
  const env = { PATH: process.env.PATH, DATA_DIR: system.directory, EVENTS_URL: eventsUrl };
  await promisify(execFile)(process.execPath, [script, 'rebuildProjections'], { env });
}

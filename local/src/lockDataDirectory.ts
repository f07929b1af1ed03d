import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Makes this process the only supervisor of an installation.
 * @throws Error if another supervisor is running
 */
export async function lockDataDirectory(directory: string): Promise<void> {
  const path = join(directory, 'run', 'supervisor.pid');
  const holder = Number(await readFile(path, 'utf8').catch(() => ''));
  if (holder && holder !== process.pid && (await isSupervisor(holder)))
    throw new Error(
      `it already runs in ${directory} (process ${holder}): stop that process, or set DATA_DIR to another directory`,
    );
  await writeFile(path, String(process.pid)).catch((error: Error) => {
    throw new Error(`${directory} cannot be written: ${error.message}`);
  });
}

// After a crash, the process id may belong to another program.
async function isSupervisor(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'local/dist/main.js');
    return command.includes('local/dist/main.js');
  } catch {
    return false;
  }
}

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Makes this process the only one that runs an installation.
 * @throws Error when another one runs it
 */
export async function holdDirectory(directory: string): Promise<void> {
  const path = join(directory, 'run', 'supervisor.pid');
  const holder = Number(await readFile(path, 'utf8').catch(() => ''));
  if (holder && holder !== process.pid && (await isOurs(holder)))
    throw new Error(
      `it already runs in ${directory} (process ${holder}): stop that one, or set DATA_DIR to another`,
    );
  await writeFile(path, String(process.pid)).catch((error: Error) => {
    throw new Error(`${directory} cannot be written: ${error.message}`);
  });
}

// After a crash the number may have gone to another program.
async function isOurs(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'local/dist/main.js');
    return command.includes('local/dist/main.js');
  } catch {
    return false;
  }
}

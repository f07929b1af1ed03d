import { spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Stops the server that a killed supervisor left behind, because two servers must never share a directory. Also makes
 * sure that a lock file left by a crash does not prevent the next start.
 */
export async function stopLeftoverPostgres(directory: string): Promise<void> {
  const lockFile = join(directory, 'postmaster.pid');
  const content = await readFile(lockFile, 'utf8').catch(() => undefined);
  if (content === undefined) return;
  const [firstLine, ...otherLines] = content.split('\n');
  const pid = Number(firstLine);
  if (!pid) {
    // A power failure can leave an empty file, which PostgreSQL refuses.
    await rm(lockFile);
  } else if (await isServerOf(directory, pid)) {
    process.kill(pid, 'SIGINT');
    for (let waited = 0; waited < 15_000 && (await isServerOf(directory, pid)); waited += 50) await sleep(50);
  } else {
    // PostgreSQL refuses to start if any process of its user has this id, except its own parent. With the other lines,
    // it can check that no process of the crashed server still uses its shared memory.
    await writeFile(lockFile, [process.pid, ...otherLines].join('\n'));
  }
}

async function isServerOf(directory: string, pid: number): Promise<boolean> {
  try {
    if (platform() === 'linux')
      return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').includes(directory);
    return spawnSync('ps', ['-o', 'command=', '-p', `${pid}`]).stdout.includes(directory);
  } catch {
    return false;
  }
}

import { execFileSync } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A directory whose disk can be filled and emptied. */
export interface SmallDisk {
  /** How the disk is filled. */
  readonly method: 'tmpfs' | 'file size limit';
  /** Mounts it; must run before the processes that use it start. */
  mount(): Promise<void>;
  /** @param pids the processes that write there, for machines where nothing can be mounted */
  fill(pids: number[]): Promise<void>;
  empty(pids: number[]): Promise<void>;
  unmount(): void;
}

const megabyte = 1024 * 1024;

/**
 * A small file system in memory, for which the test must run as root. Elsewhere the processes get a limit on the size
 * of files instead, beyond which writes also fail (EFBIG instead of ENOSPC).
 */
export function smallDisk(directory: string, megabytes: number): SmallDisk {
  const ballast = join(directory, 'ballast');
  let mounted = false;
  return {
    get method() {
      return mounted ? 'tmpfs' : 'file size limit';
    },
    async mount() {
      await mkdir(directory, { recursive: true });
      try {
        const options = `size=${megabytes}m,mode=0700`;
        execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory], { stdio: 'ignore' });
        mounted = true;
      } catch {
        console.warn(
          `nothing can be mounted at ${directory}: a limit on the size of files stands in for a full disk`,
        );
      }
    },
    async fill(pids) {
      if (mounted) await writeUntilFull(ballast);
      else limitFileSize(pids, '0');
    },
    async empty(pids) {
      if (mounted) await rm(ballast);
      else limitFileSize(pids, 'unlimited');
    },
    unmount() {
      if (mounted) execFileSync('umount', ['--lazy', directory]);
      mounted = false;
    },
  };
}

async function writeUntilFull(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (let size = megabyte; size >= 1_024; size /= 2)
      try {
        for (;;) await file.write(Buffer.alloc(size, 1));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
  } finally {
    await file.close();
  }
}

// Only the soft limit, so that it can be raised again.
function limitFileSize(pids: number[], limit: string): void {
  for (const pid of pids) execFileSync('prlimit', ['--pid', String(pid), `--fsize=${limit}:`]);
}

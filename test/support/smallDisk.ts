import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate file system, small enough to fill. */
export interface SmallDisk {
  directory: string;
  /** Fills it until only that many bytes are free. */
  fill(freeBytes: number): Promise<void>;
  /** Frees the space that `fill` used. */
  empty(): void;
  unmount(): void;
}

// Mounting needs root.
const asRoot = (command: string, ...parameters: string[]): void => {
  const words = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const [file = command, ...rest] = [...words, command, ...parameters];
  execFileSync(file, rest);
};

/** Mounts a file system in memory. */
export function mountSmallDisk(bytes: number): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), 'gradeway-disk-'));
  asRoot('mount', '-t', 'tmpfs', '-o', `size=${bytes},mode=777`, 'tmpfs', directory);
  const ballast = join(directory, 'ballast');
  return {
    directory,
    async fill(freeBytes) {
      const { bavail, bsize } = await statfs(directory);
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
    },
    empty: () => rmSync(ballast, { force: true }),
    unmount() {
      asRoot('umount', '--lazy', directory);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

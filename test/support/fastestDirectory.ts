import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

// Larger than the databases of all test files that run at once, plus the write-ahead log.
const neededBytes = 4 * 1024 ** 3;

/**
 * The directory for the data of databases: in memory, a new database of about three hundred files takes no time to
 * create and delete, and a commit does not wait for a disk. No test stops the machine.
 */
export async function fastestDirectory(): Promise<string> {
  const inMemory = '/dev/shm';
  const { bavail, bsize } = await statfs(inMemory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > neededBytes ? inMemory : tmpdir();
}

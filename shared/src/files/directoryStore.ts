import { constants } from 'node:fs';
import { access, copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { measureDisk } from '../metrics/disk.ts';
import { FileMissingError, type FileStore, requireKey } from './fileStore.ts';

// Reads of this size keep the disk and the socket busy; Node's 64 KB halve the throughput of a ZIP.
const chunkBytes = 1024 * 1024;

/** A file store in a directory. Keys are spread over folders by their first two characters. */
export async function openDirectoryStore(directory: string): Promise<FileStore> {
  await mkdir(directory, { recursive: true });
  measureDisk('files', directory);
  const pathOf = (key: string): string => join(directory, requireKey(key).slice(0, 2), key);

  return {
    async put(key, { path }) {
      const target = pathOf(key);
      await mkdir(dirname(target), { recursive: true });
      await syncFile(path);
      await move(path, target);
      // The name must survive a crash as well as the bytes.
      await syncFile(dirname(target));
      await syncFile(directory);
    },
    async open(key, range) {
      try {
        const file = await open(pathOf(key), 'r');
        return file.createReadStream({ highWaterMark: chunkBytes, ...range });
      } catch (error) {
        // Too many open files, say, is a fault of the store and not a lost file.
        throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new FileMissingError(key, error) : error;
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    check: () => access(directory, constants.R_OK | constants.W_OK),
    close() {},
  };
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    // Another file system: copy under a passing name, so that the key appears only when it is whole.
    const partial = `${to}.partial`;
    await copyFile(from, partial);
    await syncFile(partial);
    await rename(partial, to);
    await rm(from, { force: true });
  }
}

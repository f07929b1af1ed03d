import { constants } from 'node:fs';
import { access, copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unavailable } from '../errors/appError.ts';
import { measureDisk } from '../metrics/disk.ts';
import { FileMissingError, type FileStore, requireKey } from './fileStore.ts';
import { isShortage } from './shortage.ts';

// Node's default of 64 KiB halves the throughput of a ZIP download.
const chunkBytes = 1024 * 1024;

/** Opens a file store in a directory. The first two characters of a key are its subdirectory. */
export async function openDirectoryStore(directory: string): Promise<FileStore> {
  await mkdir(directory, { recursive: true });
  measureDisk('files', directory);
  const pathOf = (key: string): string => join(directory, requireKey(key).slice(0, 2), key);

  return {
    async put(key, { path }) {
      const target = pathOf(key);
      try {
        await mkdir(dirname(target), { recursive: true });
        await syncFile(path);
        await move(path, target);
        // A crash must not lose the directory entry either.
        await syncFile(dirname(target));
        await syncFile(directory);
      } catch (error) {
        throw isShortage(error) ? unavailable(error) : error;
      }
    },
    async open(key, range) {
      try {
        const file = await open(pathOf(key), 'r');
        return file.createReadStream({ highWaterMark: chunkBytes, ...range });
      } catch (error) {
        if (isShortage(error)) throw unavailable(error);
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
    // On another file system: copy to a temporary name first, so that the key never names a partial file.
    const partial = `${to}.partial`;
    try {
      await copyFile(from, partial);
      await syncFile(partial);
      await rename(partial, to);
    } catch (failure) {
      await rm(partial, { force: true });
      throw failure;
    }
    await rm(from, { force: true });
  }
}

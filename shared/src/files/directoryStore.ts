import { addAbortListener } from 'node:events';
import { closeSync, constants, open as openCallback, read as readCallback } from 'node:fs';
import { access, copyFile, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unavailable } from '../errors/appError.ts';
import { measureDisk } from './diskMetrics.ts';
import { FileMissingError, type FileStore, requireKey } from './fileStore.ts';
import { readAhead } from './readAhead.ts';
import { isShortage } from './shortage.ts';

// Node's default of 64 KiB halves the throughput of a ZIP download.
const chunkBytes = 1024 * 1024;

const [openDescriptor, readDescriptor] = [promisify(openCallback), promisify(readCallback)];

/** Opens a file store in a directory. The first two characters of a key are its subdirectory. */
export async function openDirectoryStore(directory: string): Promise<FileStore> {
  await mkdir(directory, { recursive: true });
  measureDisk('files', directory);
  const pathOf = (key: string): string => join(directory, requireKey(key).slice(0, 2), key);
  // Subdirectories that a crash cannot lose any more.
  const durable = new Set<string>();

  async function makeDurable(subdirectory: string): Promise<void> {
    if (durable.has(subdirectory)) return;
    await mkdir(subdirectory, { recursive: true });
    await syncFile(directory);
    durable.add(subdirectory);
  }

  async function openFile<File>(
    key: string,
    openPath: (path: string, flags: 'r') => Promise<File>,
  ): Promise<File> {
    try {
      return await openPath(pathOf(key), 'r');
    } catch (error) {
      if (isShortage(error)) throw unavailable(error);
      throw codeOf(error) === 'ENOENT' ? new FileMissingError(key, error) : error;
    }
  }

  return {
    async put(key, { path }) {
      const target = pathOf(key);
      const subdirectory = dirname(target);
      try {
        await Promise.all([makeDurable(subdirectory), syncFile(path)]);
        try {
          await move(path, target);
        } catch (error) {
          if (codeOf(error) !== 'ENOENT') throw error;
          // The subdirectory was deleted by another process.
          durable.delete(subdirectory);
          await makeDurable(subdirectory);
          await move(path, target);
        }
        // A crash must not lose the directory entry either.
        await syncFile(subdirectory);
      } catch (error) {
        throw isShortage(error) ? unavailable(error) : error;
      }
    },
    async open(key, range) {
      const file = await openFile(key, open);
      return file.createReadStream({ highWaterMark: chunkBytes, ...(range ?? (await wholeOf(file))) });
    },
    async read(key, buffers, signal) {
      return readAhead(await openFile(key, open), buffers, signal);
    },
    async readSized(key, size, signal) {
      const descriptor = await openFile(key, openDescriptor);
      return unlessAborted(signal, readUpTo(descriptor, size + 1));
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    check: () => access(directory, constants.R_OK | constants.W_OK),
    close() {},
  };
}

// A stream that knows where its file ends allocates no more than that, and needs no further read to find the end: otherwise
// a file of 100 KB costs two buffers of 1 MiB and one copy.
async function wholeOf(file: FileHandle): Promise<{ end?: number }> {
  try {
    const { size } = await file.stat();
    return size > 0 ? { end: size - 1 } : {};
  } catch (error) {
    await file.close();
    throw error;
  }
}

// Without a stream and without asking for the size, which cost as much as reading and hashing 100 KB, and without a FileHandle
// (decision 25).
async function readUpTo(descriptor: number, bytes: number): Promise<Buffer> {
  try {
    const buffer = Buffer.allocUnsafeSlow(bytes);
    let position = 0;
    for (;;) {
      const { bytesRead } = await readDescriptor(descriptor, buffer, position, bytes - position, position);
      position += bytesRead;
      // Without a further read for the end of a file that has one byte less, as its record says.
      if (bytesRead === 0 || position >= bytes - 1) return buffer.subarray(0, position);
    }
  } finally {
    // Closing a file that was only read does not wait for a disk, and is cheaper than waking a thread for it.
    closeSync(descriptor);
  }
}

/** The value of `work`, or the reason of the abort as soon as there is one. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  work.then(resolve, reject);
  using _listener = addAbortListener(signal, () => reject(signal.reason));
  return await promise;
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
    if (codeOf(error) !== 'EXDEV') throw error;
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

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

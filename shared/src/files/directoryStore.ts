import { addAbortListener } from 'node:events';
import { closeSync, constants, open as openCallback, read as readCallback } from 'node:fs';
import { access, copyFile, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unavailable } from '../errors/appError.ts';
import { measureDisk } from './diskMetrics.ts';
import { FileMissingError, type FileStore, requireKey } from './fileStore.ts';
import { readAhead } from './readAhead.ts';
import { isResourceExhausted } from './resourceExhaustion.ts';

const [openDescriptor, readDescriptor] = [promisify(openCallback), promisify(readCallback)];

/** Opens a file store in a directory. The first two characters of a key are its subdirectory. */
export async function openDirectoryStore(directory: string): Promise<FileStore> {
  await mkdir(directory, { recursive: true });
  measureDisk('files', directory);
  const pathOf = (key: string): string => join(directory, requireKey(key).slice(0, 2), key);
  // Subdirectories known to be durable.
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
      if (isResourceExhausted(error)) throw unavailable(error);
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
          // Another process has deleted the subdirectory.
          durable.delete(subdirectory);
          await makeDurable(subdirectory);
          await move(path, target);
        }
        // The directory entry must also be durable.
        await syncFile(subdirectory);
      } catch (error) {
        throw isResourceExhausted(error) ? unavailable(error) : error;
      }
    },
    async open(key, range) {
      const file = await openFile(key, open);
      return file.createReadStream(range ?? (await wholeOf(file)));
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

// A known end lets the stream allocate only the memory it needs and skip the read that finds the end.
async function wholeOf(file: FileHandle): Promise<{ end?: number }> {
  try {
    const { size } = await file.stat();
    return size > 0 ? { end: size - 1 } : {};
  } catch (error) {
    await file.close();
    throw error;
  }
}

// Avoids a stream, a size query and a FileHandle, which would cost as much as reading and hashing 100 KB (decision 25).
async function readUpTo(descriptor: number, bytes: number): Promise<Buffer> {
  try {
    const buffer = Buffer.allocUnsafeSlow(bytes);
    let position = 0;
    for (;;) {
      const { bytesRead } = await readDescriptor(descriptor, buffer, position, bytes - position, position);
      position += bytesRead;
      // The buffer is one byte larger than the recorded size, so an undamaged file needs no additional read to find its end.
      if (bytesRead === 0 || position >= bytes - 1) return buffer.subarray(0, position);
    }
  } finally {
    // Closing a file that was only read does not wait for the disk, and is cheaper than waking a thread.
    closeSync(descriptor);
  }
}

/** Settles like `work`, or rejects with the signal's reason as soon as the signal is aborted. */
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

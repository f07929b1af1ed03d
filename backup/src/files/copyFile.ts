import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StoredFile } from './storedFiles.ts';

/** The bytes of a file do not match the size or SHA-256 in the database. */
export class DamagedFileError extends Error {
  override name = 'DamagedFileError';
}

/**
 * Writes a file under a temporary name, verifies its size and SHA-256, and renames it.
 * @throws DamagedFileError and leaves nothing behind
 */
export async function writeVerified(source: Readable, path: string, expected: StoredFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const partial = `${path}.partial`;
  const sum = createHash('sha256');
  try {
    await pipeline(
      source,
      async function* (chunks) {
        for await (const chunk of chunks) {
          sum.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(partial, { mode: 0o600, flush: true }),
    );
    const { size } = await stat(partial);
    if (size !== expected.size || sum.digest('hex') !== expected.sha256)
      throw new DamagedFileError(`${expected.key} does not match its SHA-256`);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** @throws DamagedFileError; the system error ENOENT if the file does not exist */
export async function verifyFile(path: string, expected: StoredFile): Promise<void> {
  if ((await sha256Of(path)) !== expected.sha256)
    throw new DamagedFileError(`${path} does not match its SHA-256`);
}

/** Hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const sum = createHash('sha256');
  await pipeline(createReadStream(path), sum);
  return sum.digest('hex');
}

import { createHash } from 'node:crypto';
import type { StoredFile } from './storedFiles.ts';

/** The bytes of a file do not match the size or SHA-256 in the database. */
export class DamagedFileError extends Error {
  override name = 'DamagedFileError';
}

/** Passes the bytes of a file on. @throws DamagedFileError at the end, if they are not those of the file */
export async function* verified(
  content: AsyncIterable<Uint8Array>,
  { key, size, sha256 }: StoredFile,
): AsyncGenerator<Uint8Array> {
  const sum = createHash('sha256');
  let bytes = 0;
  for await (const chunk of content) {
    sum.update(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  if (bytes !== size || sum.digest('hex') !== sha256)
    throw new DamagedFileError(`${key} does not match its SHA-256`);
}

/** Hexadecimal. */
export async function sha256Of(content: AsyncIterable<Uint8Array>): Promise<string> {
  const sum = createHash('sha256');
  for await (const chunk of content) sum.update(chunk);
  return sum.digest('hex');
}

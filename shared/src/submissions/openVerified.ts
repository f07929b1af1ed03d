import { createHash, hash } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';
import type { FileLibrary, LibraryFile } from '../files/fileLibrary.ts';

/** A file of up to this size stays in memory between the check and the transfer, and is read only once. */
export const readAtOnceBytes = 1024 * 1024;

/**
 * Opens a stored file after comparing all its bytes with its size and SHA-256, because a receiver cannot discard the first
 * half of a file whose second half is damaged. A large file is read twice.
 * @throws FileMissingError when the store does not have it
 */
export async function openVerified(
  library: FileLibrary,
  file: LibraryFile,
  signal: AbortSignal,
): Promise<Readable | [Buffer] | 'damaged'> {
  const content = await openForReceiver(library, file, signal);
  return Array.isArray(content) && hash('sha256', content[0]) !== file.sha256 ? 'damaged' : content;
}

/**
 * Like {@link openVerified}, but compares only the size of a file of at most 1 MiB. For receivers that verify the SHA-256 of
 * such a file before they use its first byte.
 * @throws FileMissingError when the store does not have it
 */
export async function openForReceiver(
  library: FileLibrary,
  file: LibraryFile,
  signal: AbortSignal,
): Promise<Readable | [Buffer] | 'damaged'> {
  if (file.size <= readAtOnceBytes) {
    const bytes = await library.readSized(file, signal);
    return bytes.length === file.size ? [bytes] : 'damaged';
  }
  const sum = createHash('sha256');
  let size = 0;
  for await (const bytes of await openUntil(library, file, signal)) {
    size += bytes.length;
    // Stops reading a file that is too long.
    if (size > file.size) return 'damaged';
    sum.update(bytes);
  }
  if (size !== file.size || sum.digest('hex') !== file.sha256) return 'damaged';
  return openUntil(library, file, signal);
}

// The abort signal ends the read when the caller disconnects, even if the store hangs.
const openUntil = async (library: FileLibrary, file: LibraryFile, signal: AbortSignal): Promise<Readable> =>
  addAbortSignal(signal, await library.open(file));

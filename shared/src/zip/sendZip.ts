import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { writeZip, type ZipEntry } from './writeZip.ts';

/**
 * Sends an archive, no faster than the client reads. An error of an entry breaks the connection and is thrown: an incomplete
 * archive never looks complete. A client that disconnects is no error.
 * @param disconnected aborted when the client has disconnected; the contents of the entries then end, too
 */
export async function sendZip(
  res: Response,
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  disconnected: AbortSignal,
): Promise<void> {
  let failure: unknown;
  async function* archive(): AsyncGenerator<Buffer> {
    try {
      yield* writeZip(entries);
    } catch (error) {
      if (!disconnected.aborted) failure = error;
      throw error;
    }
  }
  await pipeline(archive(), res).catch(() => res.destroy());
  if (failure) throw failure;
}

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
  try {
    for await (const bytes of writeZip(entries))
      if (!(await write(res, bytes))) {
        res.destroy();
        return;
      }
    res.end();
  } catch (error) {
    res.destroy();
    if (!disconnected.aborted) throw error;
  }
}

/**
 * Resolves when the kernel has the bytes, whose buffer may then be used again: see readAhead. False when the client has
 * disconnected.
 */
function write(res: Response, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    const end = () => resolve(false);
    res.once('close', end);
    res.write(bytes, (error) => {
      res.off('close', end);
      resolve(!error);
    });
  });
}

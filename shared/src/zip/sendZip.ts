import type { Response } from 'express';
import { copiedBytes } from '../files/readAhead.ts';
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
 * Resolves when further bytes may be written: for large ones when the kernel has them, whose buffer may be used again then (see
 * readAhead). False when the client has disconnected.
 */
function write(res: Response, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    if (res.destroyed) return resolve(false);
    const end = () => resolve(false);
    const hasSpace = res.write(bytes, (error) => {
      res.off('close', end);
      resolve(!error);
    });
    if (hasSpace && bytes.length <= copiedBytes) resolve(true);
    else res.once('close', end);
  });
}

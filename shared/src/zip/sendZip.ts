import type { Response } from 'express';
import { copiedBytes } from '../files/readAhead.ts';
import { writeZip, type ZipEntry } from './writeZip.ts';

/**
 * Sends an archive with backpressure from the client. An error in an entry closes the connection and is thrown, so that
 * an incomplete archive never looks complete. A client disconnect is not an error.
 * @param disconnected aborted when the client disconnects; entry contents must then end as well
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
 * Resolves when more bytes may be written. A large chunk must first reach the kernel, because its buffer may then be
 * reused (see readAhead). Resolves to false when the client has disconnected.
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

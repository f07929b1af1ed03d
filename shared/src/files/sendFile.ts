import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import parseRange from 'range-parser';
import type { ByteRange, FileStore } from './fileStore.ts';

interface StoredFile {
  key: string;
  /** The name that the file was uploaded under. */
  name: string;
  size: number;
  sha256: string;
}

/**
 * Sends a stored PDF, or the part that `Range` asks for (RFC 9110 §14). It opens in the browser, but can do
 * nothing there: no other type is guessed, and no script in it runs (D31).
 */
export async function sendFile(
  req: Request,
  res: Response,
  store: FileStore,
  file: StoredFile,
): Promise<void> {
  const etag = `"${file.sha256}"`;
  const range = requestedRange(req, file.size, etag);
  const wanted =
    req.method === 'HEAD' || range === 'unsatisfiable' ? undefined : await store.open(file.key, range);
  res.set({
    'Content-Type': 'application/pdf',
    'Content-Disposition': contentDisposition(file.name, { type: 'inline' }),
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, max-age=300',
    'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  });
  if (range === 'unsatisfiable') {
    res.status(416).set('Content-Range', `bytes */${file.size}`).end();
    return;
  }
  if (req.fresh) {
    wanted?.destroy();
    res.status(304).end();
    return;
  }
  if (range) res.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
  res.set('Content-Length', String(range ? range.end - range.start + 1 : file.size));
  if (!wanted) {
    res.end();
    return;
  }
  // A reader that goes away is no error; a store that fails midway must cut the answer, and pipeline does.
  await pipeline(wanted, res).catch(() => res.destroy());
}

// Several ranges at once are answered with the whole file, as RFC 9110 allows.
function requestedRange(req: Request, size: number, etag: string): ByteRange | 'unsatisfiable' | undefined {
  const header = req.get('range');
  const condition = req.get('if-range');
  if (!header || (condition && condition !== etag)) return undefined;
  const ranges = parseRange(size, header, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}

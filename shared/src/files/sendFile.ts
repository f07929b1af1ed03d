import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import parseRange from 'range-parser';
import { notFound } from '../errors/appError.ts';
import { errorCodeHeader } from '../errors/errorCodes.ts';
import { cleanFileName } from './cleanFileName.ts';
import { type ByteRange, FileMissingError, type FileStore } from './fileStore.ts';

interface StoredFile {
  key: string;
  /** File name of the upload. */
  name: string;
  size: number;
  sha256: string;
}

/**
 * Sends a stored PDF or the requested range of it (RFC 9110 §14). Browsers display it inline; `nosniff` and a
 * sandboxing CSP prevent them from guessing another type and from running scripts in it (D31).
 * @throws AppError `not_found` when the store does not have the file
 */
export async function sendFile(
  req: Request,
  res: Response,
  store: FileStore,
  file: StoredFile,
  { cacheControl = 'private, max-age=300' }: { cacheControl?: string } = {},
): Promise<void> {
  const etag = `"${file.sha256}"`;
  const range = requestedRange(req, file.size, etag);
  const content =
    req.method === 'HEAD' || range === 'unsatisfiable' ? undefined : await openStored(store, file.key, range);
  res.set({
    'Content-Type': 'application/pdf',
    'Content-Disposition': contentDisposition(cleanFileName(file.name), { type: 'inline' }),
    'Accept-Ranges': 'bytes',
    'Cache-Control': cacheControl,
    'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  });
  if (range === 'unsatisfiable') {
    res.status(416).set(errorCodeHeader, 'range_not_satisfiable');
    res.set('Content-Range', `bytes */${file.size}`).end();
    return;
  }
  if (req.fresh) {
    content?.destroy();
    res.status(304).end();
    return;
  }
  if (range) res.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
  res.set('Content-Length', String(range ? range.end - range.start + 1 : file.size));
  if (!content) {
    res.end();
    return;
  }
  // A client that disconnects is not an error. When the store fails midway, pipeline destroys the response.
  await pipeline(content, res).catch(() => res.destroy());
}

function openStored(store: FileStore, key: string, range: ByteRange | undefined) {
  return store.open(key, range).catch((error: unknown) => {
    throw error instanceof FileMissingError ? notFound() : error;
  });
}

// A request for several ranges gets the whole file (RFC 9110 §14.2 allows this).
function requestedRange(req: Request, size: number, etag: string): ByteRange | 'unsatisfiable' | undefined {
  const header = req.get('range');
  const condition = req.get('if-range');
  if (!header || (condition && condition !== etag)) return undefined;
  const ranges = parseRange(size, header, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}

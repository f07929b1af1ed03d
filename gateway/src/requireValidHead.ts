import { AppError } from '@gradeway/shared/errors/appError';
import type { RequestHandler } from 'express';

/**
 * Refuses requests that another server could read differently, and that Node.js accepts: with several `Host` headers, of which
 * it reads the first (RFC 9112 §3.2), and with transfer codings other than `chunked`, which it does not decode (§6.1).
 * @throws AppError 400, after which the connection is closed
 */
export const requireValidHead: RequestHandler = (req, _res, next) => {
  const { 'transfer-encoding': coding } = req.headers;
  const isValid = !hasSeveralHosts(req.rawHeaders) && (coding ?? 'chunked').toLowerCase() === 'chunked';
  if (!isValid) throw new AppError('malformed', 'Bad Request', { headers: { Connection: 'close' } });
  next();
};

function hasSeveralHosts(rawHeaders: string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  return hosts > 1;
}

import { AppError } from '@gradeway/shared/errors/appError';
import type { RequestHandler } from 'express';

/**
 * Refuses requests that another server could read differently, and that Node.js accepts: without a `Host` header or with several,
 * of which it reads the first (RFC 9112 §3.2), and with transfer codings other than `chunked`, which it does not decode (§6.1).
 * @throws AppError 400, after which the connection is closed
 */
export const requireValidHead: RequestHandler = (req, _res, next) => {
  const { 'transfer-encoding': coding } = req.headers;
  const hosts = countHosts(req.rawHeaders);
  // HTTP/1.0 has no `Host`.
  const hasHost = hosts === 1 || (hosts === 0 && req.httpVersion === '1.0');
  const isValid = hasHost && (coding ?? 'chunked').toLowerCase() === 'chunked';
  if (!isValid) throw new AppError('malformed', 'Bad Request', { headers: { Connection: 'close' } });
  next();
};

function countHosts(rawHeaders: string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  return hosts;
}

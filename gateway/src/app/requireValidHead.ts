import { AppError } from '@gradeway/shared/errors/appError';
import type { RequestHandler } from 'express';

/**
 * Refuses requests that Node.js accepts but another server could read differently: those without exactly one `Host` header, since
 * Node.js reads the first of several (RFC 9112 §3.2), and those with a transfer coding other than `chunked`, since Node.js does not
 * decode it (§6.1).
 * @throws AppError 400, and the connection is closed
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

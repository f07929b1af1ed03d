import { AppError } from '@gradeway/shared/errors/appError';
import type { Request } from 'express';
import type { Route } from '../routing/routeTable.ts';
import { jsonBytes } from './receiveBody.ts';

// Allowance for the boundaries, headers and text fields of a form.
const formBytes = 1024 * 1024;

/** Whether the body is streamed to the service. Routes for files stream everything but JSON, which some of them also accept. */
export function isStreamed(req: Request, { files }: Pick<Route, 'files'>): boolean {
  return files !== undefined && !/^application\/json\b/i.test(req.headers['content-type'] ?? '');
}

/**
 * Refuses a request whose `Content-Length` exceeds the limit of its route before its body is read. For streamed bodies without
 * a length, the service enforces the limit.
 * @throws AppError 413
 */
export function limitBody(
  req: Request,
  route: Pick<Route, 'files' | 'bodyBytes'>,
  maxUploadBytes: number,
): void {
  const { files = 0, bodyBytes = jsonBytes } = route;
  const limit = isStreamed(req, route) ? files * maxUploadBytes + formBytes : bodyBytes;
  if (Number(req.headers['content-length'] ?? 0) > limit)
    throw new AppError('too_large', 'Payload Too Large');
}

import { AppError } from '@gradeway/shared/errors/appError';
import type { Request } from 'express';
import type { Route } from '../routing/routeTable.ts';
import { jsonBytes } from './receiveBody.ts';

// For the boundaries, headers and text fields of a form.
const formBytes = 1024 * 1024;

/** Whether the body is streamed to the service: forms and archives, but not JSON, which some routes accept instead. */
export function isStreamed(req: Request, { files }: Pick<Route, 'files'>): boolean {
  return files !== undefined && !/^application\/json\b/i.test(req.headers['content-type'] ?? '');
}

/**
 * Refuses a request whose `Content-Length` is above the limit of its route, before the body is read. The service
 * enforces the limit on streamed bodies without a length.
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

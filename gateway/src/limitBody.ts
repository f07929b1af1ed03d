import { AppError } from '@gradeway/shared/errors/appError';
import type { Request } from 'express';
import type { Route } from './routeTable.ts';

const jsonBytes = 1024 * 1024;
// For the boundaries, headers and text fields of a form.
const formBytes = 1024 * 1024;

/**
 * Refuses a request whose `Content-Length` is above the limit of its route, before the body is read. The service
 * enforces the limit on chunked bodies.
 * @throws AppError 413
 */
export function limitBody(req: Request, route: Route, maxUploadBytes: number): void {
  const limit = route.files ? route.files * maxUploadBytes + formBytes : jsonBytes;
  if (Number(req.headers['content-length'] ?? 0) > limit)
    throw new AppError('too_large', 'Payload Too Large');
}

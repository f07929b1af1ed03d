import { AppError } from '@gradeway/shared/errors/appError';
import type { Request } from 'express';
import type { Route } from './routeTable.ts';

const jsonBytes = 1024 * 1024;
// Beside its files a form has boundaries, headers and short fields.
const formBytes = 1024 * 1024;

/**
 * Refuses a request that announces more than its route can take, before any of it is read. One that announces
 * nothing (chunked) is counted by its service.
 * @throws AppError 413
 */
export function limitBody(req: Request, route: Route, maxUploadBytes: number): void {
  const most = route.files ? route.files * maxUploadBytes + formBytes : jsonBytes;
  if (Number(req.headers['content-length'] ?? 0) > most) throw new AppError('too_large', 'Payload Too Large');
}

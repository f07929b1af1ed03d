import { AppError } from '@gradeway/shared/errors/appError';
import type { Request } from 'express';

/** The origin of the pages of this installation: of `PUBLIC_URL`, or else of the address that the client used. */
export function pageOrigin(req: Request, publicUrl: string | undefined): string {
  try {
    return new URL(publicUrl ?? `${req.protocol}://${req.host}`).origin;
  } catch {
    throw new AppError('malformed', 'Bad Request');
  }
}

/**
 * Admits a request that a page of this installation sent. A browser names the sender of every request that changes something,
 * and lets a page of another site add `X-Requested-With` only if this host permits it. A program that sends neither `Origin`
 * nor `Sec-Fetch-Site` is no browser, so no user is misled.
 * @throws AppError 403
 */
export function requireOwnPage(req: Request, origin: string): void {
  const sender = req.get('origin') ?? origin;
  const site = req.get('sec-fetch-site') ?? 'same-origin';
  if (sender !== origin || site !== 'same-origin')
    throw new AppError('forbidden', 'Only pages of this host may use its sessions.');
  if (req.get('x-requested-with') !== 'gradeway')
    throw new AppError('forbidden', 'The header X-Requested-With must be gradeway.');
}

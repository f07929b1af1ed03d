import { AppError } from '@gradeway/shared/errors/appError';
import type { Request } from 'express';

/**
 * Returns the origin of this installation's pages, from `PUBLIC_URL` or otherwise from the address that the client
 * used.
 */
export function pageOrigin(req: Request, publicUrl: string | undefined): string {
  try {
    return new URL(publicUrl ?? `${req.protocol}://${req.host}`).origin;
  } catch {
    throw new AppError('malformed', 'Bad Request');
  }
}

/**
 * Refuses a request unless a page of this installation sent it. Browsers name the sender of every request that changes data, and
 * allow pages of other sites to add `X-Requested-With` only if this host permits it. A client that sends neither `Origin` nor
 * `Sec-Fetch-Site` is not a browser, so no user can be misled.
 * @throws AppError 403
 */
export function requireOwnPage(req: Request, origin: string): void {
  const sender = req.get('origin') ?? origin;
  const site = req.get('sec-fetch-site') ?? 'same-origin';
  if (sender !== origin || site !== 'same-origin')
    throw new AppError('forbidden', 'Only pages of this host may use its sessions.', {
      reason: 'not_own_page',
    });
  if (req.get('x-requested-with') !== 'gradeway')
    throw new AppError('forbidden', 'The header X-Requested-With must be gradeway.', {
      reason: 'not_own_page',
    });
}

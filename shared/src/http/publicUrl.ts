import type { Request } from 'express';

/** Base of the URLs in responses (D6). */
export interface PublicUrl {
  /** `https://school.example`, without a trailing slash. */
  origin(req: Request): string;
  /** The URL of the request as the client sees it. */
  of(req: Request): URL;
}

const host = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-fA-F:]+\](:\d{1,5})?$/;

/**
 * Uses `PUBLIC_URL` if set, otherwise the scheme and host that the client used, as forwarded by the gateway. A client
 * can forge these, but they appear only in the response to that client.
 */
export function createPublicUrl(configured: string | undefined): PublicUrl {
  const origin = (req: Request): string => {
    if (configured) return configured;
    const protocol = req.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
    const name = req.get('x-forwarded-host') ?? req.get('host') ?? '';
    return `${protocol}://${host.test(name) ? name : 'localhost'}`;
  };
  return { origin, of: (req) => new URL(origin(req) + req.originalUrl) };
}

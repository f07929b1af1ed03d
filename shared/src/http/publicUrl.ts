import type { Request } from 'express';

/** The address that a client used, and what URLs in its answer start with (D6). */
export interface PublicUrl {
  /** `https://school.example`, without a slash at the end. */
  origin(req: Request): string;
  /** The whole address of this request. */
  of(req: Request): URL;
}

const host = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-fA-F:]+\](:\d{1,5})?$/;

/**
 * `PUBLIC_URL` when it is set; else the scheme and host that the gateway tells, which are the client's own. They
 * shape nothing but the URLs of that one client's answer.
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

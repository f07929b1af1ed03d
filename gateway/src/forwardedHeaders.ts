import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';

/**
 * The headers of a client that reach a service. All others end here: nobody outside says who they are
 * (`X-User-Id`), where they come from (`X-Forwarded-*`, `Forwarded`), which trace they belong to or which
 * connection is ours. What a service should know of that, we say.
 */
const passed = new Set([
  'accept',
  'accept-language',
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'device-name',
  'device_token',
  'device_type',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'range',
  'transfer-encoding',
  'user-agent',
]);

/** Replaces a request's headers by those that its service may see. */
export function replaceHeaders(req: Request, requestId: string): void {
  const known = Object.entries(req.headers).filter(([name]) => passed.has(name));
  const headers: IncomingHttpHeaders = Object.fromEntries(known);
  headers['x-request-id'] = requestId;
  headers['x-forwarded-for'] = req.ip ?? '';
  headers['x-forwarded-proto'] = req.protocol;
  headers['x-forwarded-host'] = req.host;
  req.headers = headers;
}

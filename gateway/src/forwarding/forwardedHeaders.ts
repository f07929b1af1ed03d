import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';

/**
 * Client headers that are forwarded to services. All others are dropped, so that clients cannot set headers for their identity
 * (`X-User-Id`), origin (`X-Forwarded-*`, `Forwarded`), trace or connection.
 */
const forwarded = new Set([
  'accept',
  'accept-language',
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'device-name',
  'device-token',
  'device-type',
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

/**
 * Returns the headers for a request's service. A body that was received completely is sent with its length, even if the client sent
 * it chunked.
 */
export function forwardedHeaders(req: Request, requestId: string, body?: Buffer): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = { 'x-request-id': requestId };
  for (const name of Object.keys(req.headers)) if (forwarded.has(name)) headers[name] = req.headers[name];
  headers['x-forwarded-for'] = req.ip ?? '';
  headers['x-forwarded-proto'] = req.protocol;
  headers['x-forwarded-host'] = req.host;
  if (body) {
    headers['content-length'] = String(body.length);
    delete headers['transfer-encoding'];
  }
  return headers;
}

import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';

/**
 * The client headers that are forwarded to a service. All others are dropped: clients cannot set their identity
 * (`X-User-Id`), origin (`X-Forwarded-*`, `Forwarded`), trace or connection headers. The gateway sets what services need.
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
 * The headers of a request that are forwarded to its service. A body that was received whole has a known length, however the
 * client sent it.
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

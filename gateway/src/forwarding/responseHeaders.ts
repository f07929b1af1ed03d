import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { requestIdOf } from '@gradeway/shared/http/requestId';
import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

// API responses must not be framed, sniffed or executed. File responses set a stricter policy.
const security = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
});

interface Header {
  name: string;
  lowerCaseName: string;
  value: string;
}

// The same for every response, so helmet runs once instead of for each request.
const securityHeaders: Header[] = [];
security(
  {} as Request,
  {
    setHeader: (name: string, value: string) =>
      securityHeaders.push({ name, lowerCaseName: name.toLowerCase(), value }),
    removeHeader: () => {},
  } as unknown as ServerResponse,
  () => {},
);

const requestIdHeader = 'X-Request-Id';
const ownNames = new Set(['x-request-id', ...securityHeaders.map(({ lowerCaseName }) => lowerCaseName)]);

/** Adds a header to a response, whether the gateway or a service responds. Call it before either does. */
export function announce(res: Response, name: string, value: string): void {
  res.locals.announced ??= [];
  res.locals.announced.push(name, value);
}

/** Names and values, alternating. */
const announced = (res: Response): string[] => res.locals.announced ?? [];

/** Sets the gateway's headers on its own responses. Forwarded responses get them from {@link responseHeaders}. */
export function setOwnHeaders(res: Response): void {
  for (const { name, value } of securityHeaders) res.setHeader(name, value);
  res.setHeader(requestIdHeader, requestIdOf(res) ?? '');
  const others = announced(res);
  for (let index = 0; index < others.length; index += 2)
    res.setHeader(others[index] ?? '', others[index + 1] ?? '');
}

export const ownHeaders: RequestHandler = (_req, res, next) => {
  setOwnHeaders(res);
  next();
};

// Headers for a single connection (RFC 9110 §7.6.1).
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Returns the headers of a forwarded response as alternating names and values: the service's headers except those for its
 * connection, and the gateway's headers that the service has not set.
 */
export function responseHeaders(received: IncomingHttpHeaders, res: Response): string[] {
  const headers: string[] = [];
  const dropped = namedByConnection(received.connection);
  const setByService: string[] = [];
  for (const name of Object.keys(received)) {
    if (hopByHop.has(name) || dropped?.has(name)) continue;
    const value = received[name];
    if (typeof value === 'string') headers.push(name, value);
    else for (const each of value ?? []) headers.push(name, each);
    if (ownNames.has(name)) setByService.push(name);
  }
  for (const { name, lowerCaseName, value } of securityHeaders)
    if (!setByService.includes(lowerCaseName)) headers.push(name, value);
  if (!setByService.includes('x-request-id')) headers.push(requestIdHeader, requestIdOf(res) ?? '');
  headers.push(...announced(res));
  return headers;
}

// `Connection` may name additional headers for a single connection.
function namedByConnection(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || /^(?:keep-alive|close)$/i.test(connection)) return undefined;
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
}

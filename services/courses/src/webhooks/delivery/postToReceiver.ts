import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { DeliveryError } from '../domain/delivery.ts';
import type { Attempt } from '../domain/evaluateAttempt.ts';
import { retryAfterMs } from '../domain/retrySchedule.ts';
import { AddressNotAllowed, type SsrfGuard } from './ssrfGuard.ts';

interface Options {
  url: string;
  headers: Record<string, string>;
  body: string;
  ssrfGuard: SsrfGuard;
  /** Time limit from the DNS lookup to the response headers. */
  timeoutMs: number;
}

// The response body is discarded. Part of it is read, so that the receiver does not see a broken connection.
const maxDiscardedBytes = 16_384;
const maxDiscardMs = 1_000;

/**
 * Posts one message. Follows no redirects, reuses no connections, and reads only the status and `Retry-After` of the
 * response. Never rejects.
 */
export async function postToReceiver({
  url,
  headers,
  body,
  ssrfGuard,
  timeoutMs,
}: Options): Promise<Attempt> {
  if (ssrfGuard.findUrlViolation(url) !== undefined) return { error: 'address_not_allowed' };
  const options: RequestOptions = {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Gradeway-Webhooks/1',
      connection: 'close',
    },
    agent: false,
    lookup: ssrfGuard.lookup,
    signal: AbortSignal.timeout(timeoutMs),
  };
  const attempt = new Promise<Attempt>((resolve) => {
    const { request } = url.startsWith('https:') ? https : http;
    const outgoing = request(url, options, (response) => {
      const retryAfter = retryAfterMs(response.headers['retry-after']);
      resolve({ status: response.statusCode ?? 0, retryAfterMs: retryAfter });
      discardBody(response);
    });
    outgoing.on('error', (error) => resolve({ error: classifyError(error) }));
    outgoing.end(body);
  });
  // Node.js throws synchronously for requests that it refuses to send.
  return attempt.catch((error) => ({ error: classifyError(error) }));
}

function discardBody(response: IncomingMessage): void {
  let size = 0;
  const timer = setTimeout(() => response.destroy(), maxDiscardMs);
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxDiscardedBytes) response.destroy();
  });
  response.on('error', () => {});
  response.on('close', () => clearTimeout(timer));
}

const errorsByCode: Record<string, DeliveryError> = {
  ABORT_ERR: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  EPROTO: 'tls',
};

// Certificate errors have OpenSSL's codes, such as CERT_HAS_EXPIRED and UNABLE_TO_VERIFY_LEAF_SIGNATURE.
const tlsCode = /^ERR_(SSL|TLS)|CERT|SIGNATURE|ISSUER|CRL/;

/** Any other error, such as a non-HTTP response, counts as a lost connection. */
function classifyError(error: NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }): DeliveryError {
  if (error instanceof AddressNotAllowed) return 'address_not_allowed';
  // If a host has several addresses, Node.js tries each. The first error is representative.
  const code = error.code ?? error.errors?.[0]?.code ?? '';
  return errorsByCode[code] ?? (tlsCode.test(code) ? 'tls' : 'connection_lost');
}

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
  rule: SsrfGuard;
  /** For all of it, from the look-up of the name to the head of the answer. */
  timeoutMs: number;
}

// The answer's body says nothing to us. A little of it is read, so that its sender sees no broken connection.
const mostOfBody = 16_384;
const longestBodyMs = 1_000;

/**
 * Posts one message. Follows no redirect, keeps no connection, reads nothing of the answer but its status and
 * `Retry-After`. Always resolves.
 */
export async function postToReceiver({ url, headers, body, rule, timeoutMs }: Options): Promise<Attempt> {
  if (rule.complaintAbout(url) !== undefined) return { error: 'address_not_allowed' };
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
    lookup: rule.lookup,
    signal: AbortSignal.timeout(timeoutMs),
  };
  const attempt = new Promise<Attempt>((resolve) => {
    const { request } = url.startsWith('https:') ? https : http;
    const sent = request(url, options, (answer) => {
      const retryAfter = retryAfterMs(answer.headers['retry-after']);
      resolve({ status: answer.statusCode ?? 0, retryAfterMs: retryAfter });
      discardBody(answer);
    });
    sent.on('error', (error) => resolve({ error: errorOf(error) }));
    sent.end(body);
  });
  // What Node refuses to send at all, it throws.
  return attempt.catch((error) => ({ error: errorOf(error) }));
}

function discardBody(answer: IncomingMessage): void {
  let size = 0;
  const timer = setTimeout(() => answer.destroy(), longestBodyMs);
  answer.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > mostOfBody) answer.destroy();
  });
  answer.on('error', () => {});
  answer.on('close', () => clearTimeout(timer));
}

const errors: Record<string, DeliveryError> = {
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

// Certificates are judged by OpenSSL, in words like CERT_HAS_EXPIRED and UNABLE_TO_VERIFY_LEAF_SIGNATURE.
const aboutTls = /^ERR_(SSL|TLS)|CERT|SIGNATURE|ISSUER|CRL/;

/** Names what went wrong. An answer that is no HTTP and whatever else breaks off is a lost connection. */
function errorOf(error: NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }): DeliveryError {
  if (error instanceof AddressNotAllowed) return 'address_not_allowed';
  // Of several addresses each was tried: the first speaks for all.
  const code = error.code ?? error.errors?.[0]?.code ?? '';
  return errors[code] ?? (aboutTls.test(code) ? 'tls' : 'connection_lost');
}

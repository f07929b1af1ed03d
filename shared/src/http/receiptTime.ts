import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Response } from 'express';

/**
 * The header with which the gateway tells a service when the headers of a request arrived: `TIME.SIGNATURE`, with the
 * time in milliseconds since the epoch.
 */
export const receiptTimeHeader = 'x-received-at';

// Covers the longest time that the gateway holds a request before forwarding it (IDLE_TIMEOUT), plus clock skew.
const longestDelayMs = 2 * 60_000;

/** Records when the headers of a request arrived at this process, in milliseconds since the epoch. */
export function recordArrival(res: Response, at: number): void {
  res.locals.arrivedAt = at;
}

/** Returns when the headers of the request arrived at this process, in milliseconds since the epoch. */
export function arrivedAt(res: Response): number {
  return (res.locals.arrivedAt as number | undefined) ?? Date.now();
}

/** Records the receipt time accepted by {@link verifyReceiptTime}. */
export function recordReceipt(res: Response, at: number): void {
  res.locals.receivedAt = at;
}

/**
 * Returns when the request was received, in milliseconds since the epoch: when its headers arrived at the gateway, or
 * at this process if the gateway did not send the time. Deadlines are compared with it (D25).
 */
export function receivedAt(res: Response): number {
  return (res.locals.receivedAt as number | undefined) ?? arrivedAt(res);
}

/** Returns the value of {@link receiptTimeHeader}. `key` is the key that the gateway shares with the service. */
export function signReceiptTime(at: number, requestId: string, key: string): string {
  return `${at}.${signature(at, requestId, key)}`;
}

interface Verification {
  requestId: string;
  /** The keys that the gateway shares with this service. Any of them is accepted. */
  keys: readonly string[];
  /** When the request arrived at this process, in milliseconds since the epoch. */
  arrivedAt: number;
}

/**
 * Returns the time in the gateway's header, never later than the arrival at this process. Undefined if the signature is
 * not the gateway's for this request, or if the time is more than two minutes before the arrival.
 */
export function verifyReceiptTime(
  header: string | undefined,
  { requestId, keys, arrivedAt: arrival }: Verification,
): number | undefined {
  // Only uploads have it, but this runs for every request.
  if (header === undefined) return undefined;
  const [, time = '', sent = ''] = /^(\d{13})\.([\w-]{43})$/.exec(header) ?? [];
  const at = Number(time);
  if (!time || at < arrival - longestDelayMs) return undefined;
  const isSigned = keys.some((key) => isEqual(sent, signature(at, requestId, key)));
  return isSigned ? Math.min(at, arrival) : undefined;
}

// The request id binds the time to its request, so another request's header is useless.
const signature = (at: number, requestId: string, key: string): string =>
  createHmac('sha256', key).update(`received at ${at} ${requestId}`).digest('base64url');

const isEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

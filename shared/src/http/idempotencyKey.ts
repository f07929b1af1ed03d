import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { IdempotencyKey } from '../database/idempotencyStore.ts';
import { invalid } from '../errors/appError.ts';

const validKey = /^[\x21-\x7e]{1,255}$/;

/**
 * Reads the `Idempotency-Key` of a request; undefined if there is none. Two requests with the same key are the same
 * request if method, path and `content`, the parsed body, are equal.
 * @throws AppError `invalid` for a malformed key; `message` is the headline of this and every later 422 of the key
 */
export function readIdempotencyKey(
  req: Request,
  userId: number,
  content: unknown,
  message?: string,
): IdempotencyKey | undefined {
  const value = req.get('idempotency-key');
  if (value === undefined) return undefined;
  if (!validKey.test(value))
    throw invalid(
      { idempotency_key: ['The idempotency key must be 1 to 255 visible ASCII characters.'] },
      message,
    );
  const request = JSON.stringify([req.method, req.path, content]);
  return { userId, value, fingerprint: createHash('sha256').update(request).digest('hex'), message };
}

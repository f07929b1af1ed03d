import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { forbidden } from '../errors/appError.ts';

interface Options {
  /** HMAC key. Only the service that signs URLs verifies them. */
  secret: string;
  /** Also accepted while the secret is being replaced. */
  secondarySecret?: string | undefined;
  /** Separates kinds of signatures: a signature for another purpose is invalid. */
  purpose: string;
  /** Max lifetime of a URL, in milliseconds. */
  ttlMs: number;
}

/**
 * Checks that the request URL is spelled exactly as issued, in path and parameters, so that limits for a URL cannot be
 * evaded with other spellings (D61). The signature does not cover the spelling.
 * @param path of the URL, up to the parameters of the signature
 * @throws AppError 403
 */
export function requireIssuedUrl({ originalUrl, query }: Request, path: string): void {
  if (originalUrl !== `${path}expires=${query.expires}&signature=${query.signature}`) throw forbidden();
}

export interface UrlSigner {
  /**
   * Returns the query of a signed URL: `expires=…&signature=…`. The signature covers `file` and the expiry.
   * @param now in milliseconds, the same for all files of a list
   */
  query(file: string, now?: number): string;
  /** True when the query has a valid signature for this file and has not expired. */
  verify(file: string, query: { expires?: unknown; signature?: unknown }): boolean;
}

// Half of SHA-256's output, which RFC 2104 §5 permits, to halve the size of signatures in lists.
const signatureBytes = 16;

/** Max number of cached signatures, about 10 MB. */
const maxCached = 50_000;

/**
 * Signs file URLs (D31): HMAC-SHA256 over purpose, file and expiry. Expiry times are rounded down to a multiple of a
 * sixtieth of the lifetime, so that consecutive lists contain the same URLs. This allows signatures to be cached, and
 * files to be cached by browsers.
 */
export function createUrlSigner({ secret, secondarySecret, purpose, ttlMs }: Options): UrlSigner {
  const ttl = ttlMs / 1000;
  const step = Math.max(1, Math.floor(ttl / 60));
  // Signatures for one expiry time. A page of a list has hundreds of files; an LRU cache, which reorders its entries,
  // took a tenth of the page's CPU time.
  const cached = new Map<string, string>();
  let cachedExpiry = 0;

  const accepted = secondarySecret === undefined ? [secret] : [secret, secondarySecret];
  const sign = (file: string, expires: number, key = secret): Buffer =>
    createHmac('sha256', key).update(`${purpose}\n${file}\n${expires}`).digest().subarray(0, signatureBytes);

  return {
    query(file, now = Date.now()) {
      const expires = Math.floor((now / 1000 + ttl) / step) * step;
      if (expires !== cachedExpiry) cached.clear();
      cachedExpiry = expires;
      const known = cached.get(file);
      if (known !== undefined) return known;
      const query = `expires=${expires}&signature=${sign(file, expires).toString('base64url')}`;
      if (cached.size >= maxCached) cached.clear();
      cached.set(file, query);
      return query;
    },
    verify(file, { expires, signature }) {
      if (typeof expires !== 'string' || !/^[1-9]\d{0,11}$/.test(expires) || typeof signature !== 'string')
        return false;
      const given = Buffer.from(signature, 'base64url');
      const genuine = accepted.some((key) => {
        const expected = sign(file, Number(expires), key);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      // The same bytes have several Base64 spellings; only the canonical one is accepted.
      return genuine && given.toString('base64url') === signature && Number(expires) * 1000 > Date.now();
    },
  };
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';

interface Options {
  /** Known only to the service that both makes and checks the signatures. */
  secret: string;
  /** What a signature is good for: one made for another purpose does not count. */
  purpose: string;
  /** How long a URL is good, in milliseconds; it is never good for longer. */
  ttlMs: number;
}

export interface UrlSigner {
  /** The query that makes a URL of this file good for a while: `expires=…&signature=…`. `file` is all that it covers. */
  query(file: string): string;
  /** True when a query was made by us for this very file and has not expired. */
  verify(file: string, query: { expires?: unknown; signature?: unknown }): boolean;
}

// Half of SHA-256's output is as good against forgery, and half as long in lists (RFC 2104 §5).
const signatureBytes = 16;

/**
 * Signs file URLs (D31): HMAC-SHA256 over purpose, file and expiry. Expiries fall on steps of a sixtieth of
 * the lifetime, so that a file's URL stays the same for a while: lists need not sign again, browsers may cache.
 */
export function createUrlSigner({ secret, purpose, ttlMs }: Options): UrlSigner {
  const ttl = ttlMs / 1000;
  const step = Math.max(1, Math.floor(ttl / 60));
  const made = new LRUCache<string, { expires: number; query: string }>({ max: 50_000 });

  const sign = (file: string, expires: number): Buffer =>
    createHmac('sha256', secret)
      .update(`${purpose}\n${file}\n${expires}`)
      .digest()
      .subarray(0, signatureBytes);

  return {
    query(file) {
      const expires = Math.floor((Date.now() / 1000 + ttl) / step) * step;
      const known = made.get(file);
      if (known?.expires === expires) return known.query;
      const query = `expires=${expires}&signature=${sign(file, expires).toString('base64url')}`;
      made.set(file, { expires, query });
      return query;
    },
    verify(file, { expires, signature }) {
      if (typeof expires !== 'string' || !/^\d{1,12}$/.test(expires) || typeof signature !== 'string')
        return false;
      const given = Buffer.from(signature, 'base64url');
      const right = sign(file, Number(expires));
      const genuine = given.length === right.length && timingSafeEqual(given, right);
      // Another spelling of the same bytes is an altered URL too.
      return genuine && given.toString('base64url') === signature && Number(expires) * 1000 > Date.now();
    },
  };
}

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createUrlSigner } from '../../src/files/signedUrl.ts';

const options = { secret: 'a secret that is long enough', purpose: 'quiz file', ttlMs: 3_600_000 };
const signer = createUrlSigner(options);
const parametersOf = (query: string) => Object.fromEntries(new URLSearchParams(query));

describe('a signed URL', () => {
  beforeEach(() => vi.useFakeTimers({ now: new Date('2026-05-01T10:00:00Z') }));
  afterEach(() => vi.useRealTimers());

  test('a signed URL is valid for its file until it expires, at most for its lifetime', () => {
    const query = parametersOf(signer.query('12'));
    expect(signer.verify('12', query)).toBe(true);
    vi.advanceTimersByTime(options.ttlMs - 60_001);
    expect(signer.verify('12', query)).toBe(true);
    vi.advanceTimersByTime(60_001);
    expect(signer.verify('12', query)).toBe(false);
  });

  test('a signed URL stays the same within a step of its expiry, so that it can be cached', () => {
    const first = signer.query('12');
    vi.advanceTimersByTime(20_000);
    expect(signer.query('12')).toBe(first);
    vi.advanceTimersByTime(60_000);
    expect(signer.query('12')).not.toBe(first);
  });

  test.each([
    ['for another file', '13', (query: object) => query],
    [
      'with a later expiry',
      '12',
      (query: { expires?: string }) => ({ ...query, expires: String(Number(query.expires) + 1) }),
    ],
    [
      'with another signature',
      '12',
      (query: { signature?: string }) => ({ ...query, signature: query.signature?.replace(/^./, 'x') }),
    ],
    [
      'with padding',
      '12',
      (query: { signature?: string }) => ({ ...query, signature: `${query.signature}=` }),
    ],
    [
      'with a zero before its expiry',
      '12',
      (query: { expires?: string }) => ({ ...query, expires: `0${query.expires}` }),
    ],
    ['without a signature', '12', () => ({ expires: '9999999999' })],
    ['with several values', '12', (query: object) => ({ ...query, signature: ['a', 'b'] })],
    ['without anything', '12', () => ({})],
  ])('a signed URL is invalid: %s', (_, file, alter) => {
    expect(signer.verify(file, alter(parametersOf(signer.query('12'))) as object)).toBe(false);
  });

  test.each([
    ['another purpose', { ...options, purpose: 'homework file' }],
    ['another secret', { ...options, secret: 'another secret that is long' }],
  ])('a signed URL made with %s is invalid', (_, other) => {
    expect(signer.verify('12', parametersOf(createUrlSigner(other).query('12')))).toBe(false);
  });
});

test('a lifetime of a few seconds is not exceeded either', () => {
  const short = createUrlSigner({ ...options, ttlMs: 2_000 });
  const { expires } = parametersOf(short.query('1'));
  expect(Number(expires) * 1000 - Date.now()).toBeLessThanOrEqual(2_000);
});

import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openPrivateKey, sealPrivateKey } from '../src/tokens/encryptedPrivateKey.ts';
import {
  isRetired,
  isSpent,
  isSuccessorDue,
  signerAt,
  startOfSuccessor,
} from '../src/tokens/keyRotationSchedule.ts';

const minute = 60_000;
const day = 86_400_000;
const now = Date.parse('2026-06-01T12:00:00Z');
const from = (ms: number) => ({ signsFrom: new Date(now + ms) });

describe('the key that signs', () => {
  test('is the latest that has begun', () => {
    const [old, present, waiting] = [from(-day), from(0), from(10 * minute)];
    expect(signerAt([waiting, old, present], now)).toBe(present);
    expect(signerAt([old, waiting], now)).toBe(old);
  });

  test('is none before the first has begun', () => {
    expect(signerAt([from(1)], now)).toBeUndefined();
  });
});

describe('a successor', () => {
  test('is due when there is no key, or the present one is old enough', () => {
    expect(isSuccessorDue([], now, 90 * day)).toBe(true);
    expect(isSuccessorDue([from(-90 * day)], now, 90 * day)).toBe(true);
    expect(isSuccessorDue([from(-90 * day + 1)], now, 90 * day)).toBe(false);
  });

  test('is due at once where no key signs, whatever is waiting', () => {
    expect(isSuccessorDue([from(10 * minute)], now, 90 * day)).toBe(true);
    expect(startOfSuccessor([from(10 * minute)], now)).toEqual(new Date(now));
    expect(startOfSuccessor([], now)).toEqual(new Date(now));
  });

  test('begins ten minutes after it was published', () => {
    expect(startOfSuccessor([from(-day)], now)).toEqual(new Date(now + 10 * minute));
  });

  test('is not due while one is waiting', () => {
    expect(isSuccessorDue([from(-100 * day), from(10 * minute)], now, minute)).toBe(false);
  });
});

describe('an old key', () => {
  test('is retired ten minutes after its successor began', () => {
    const old = from(-90 * day);
    expect(isRetired(old, [old, from(-9 * minute)], now)).toBe(false);
    expect(isRetired(old, [old, from(-10 * minute)], now)).toBe(true);
  });

  test('is needed until its last token can no longer be refreshed (D11)', () => {
    const old = from(-90 * day);
    const life = 14 * day;
    expect(isSpent(old, [old, from(-life)], now, life)).toBe(false);
    expect(isSpent(old, [old, from(-life - 10 * minute)], now, life)).toBe(true);
  });

  test('without a successor is neither', () => {
    const only = from(-1_000 * day);
    expect(isRetired(only, [only], now)).toBe(false);
    expect(isSpent(only, [only], now, day)).toBe(false);
  });
});

describe('a sealed private key', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const secret = 'the secret that seals it';

  test('opens with its secret for its kid, and is never sealed the same way twice', async () => {
    const [sealed, again] = [
      await sealPrivateKey(privateKey, 'kid', secret),
      await sealPrivateKey(privateKey, 'kid', secret),
    ];
    expect((await openPrivateKey(sealed, 'kid', secret)).equals(privateKey)).toBe(true);
    expect(sealed.equals(again)).toBe(false);
  });

  test('opens with no other secret, for no other kid, and not when it was altered', async () => {
    const sealed = await sealPrivateKey(privateKey, 'kid', secret);
    await expect(openPrivateKey(sealed, 'kid', `${secret}!`)).rejects.toThrow();
    await expect(openPrivateKey(sealed, 'other', secret)).rejects.toThrow();
    for (const position of [0, 20, 30, sealed.length - 1]) {
      const altered = Buffer.from(sealed);
      altered[position] = (altered[position] ?? 0) ^ 1;
      await expect(openPrivateKey(altered, 'kid', secret)).rejects.toThrow();
    }
  });
});

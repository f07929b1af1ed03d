import { totpCode } from '@gradeway/test/totpCode';
import { expect, test } from 'vitest';
import { generateRecoveryCode, hashRecoveryCode } from '../src/domain/recoveryCode.ts';
import { findTotpStep, generateTotpSecret, totpUrl } from '../src/domain/totp.ts';

// RFC 6238, appendix B: the ASCII secret 12345678901234567890. An app shows the last six of the eight digits.
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1000);

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at second %i is the one in RFC 6238', (seconds, code) => {
  const step = Math.floor(seconds / 30);
  expect(findTotpStep({ secret: rfcSecret, lastStep: 0 }, code, at(seconds))).toBe(step);
  expect(totpCode(rfcSecret, 0, seconds * 1000)).toBe(code);
});

test('codes of the previous and the next 30 seconds are accepted, others are not', () => {
  const now = 1_800_000_000;
  const accepted = [-2, -1, 0, 1, 2].map((steps) =>
    findTotpStep({ secret: rfcSecret, lastStep: 0 }, totpCode(rfcSecret, steps, now * 1000), at(now)),
  );
  expect(accepted).toEqual([undefined, 59_999_999, 60_000_000, 60_000_001, undefined]);
});

test('neither an accepted code nor any earlier one is accepted again', () => {
  const now = 1_800_000_000;
  const find = (steps: number) =>
    findTotpStep(
      { secret: rfcSecret, lastStep: 60_000_000 },
      totpCode(rfcSecret, steps, now * 1000),
      at(now),
    );
  expect([find(-1), find(0), find(1)]).toEqual([undefined, undefined, 60_000_001]);
});

test('a secret has 160 bits, and its URL has the form that authenticator apps read', () => {
  const secret = generateTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(generateTotpSecret()).not.toBe(secret);
  const url = new URL(totpUrl(secret, 'ada+home@school.example'));
  expect(`${url.protocol}//${url.host}`).toBe('otpauth://totp');
  expect(decodeURIComponent(url.pathname)).toContain('Gradeway:ada+home@school.example');
  expect(Object.fromEntries(url.searchParams)).toMatchObject({ issuer: 'Gradeway', secret });
});

test('a recovery code has 80 bits and is accepted without dashes and in capitals', () => {
  const code = generateRecoveryCode();
  expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
  expect(hashRecoveryCode(` ${code.replaceAll('-', ' ').toUpperCase()}`)).toBe(hashRecoveryCode(code));
  expect(hashRecoveryCode(generateRecoveryCode())).not.toBe(hashRecoveryCode(code));
});

import { expect, test } from 'vitest';
import { readAccessToken } from './accessToken.ts';

const encode = (claims: object) =>
  btoa(JSON.stringify(claims)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

test('the user, role and expiry are read from the claims', () => {
  const text = `header.${encode({ sub: '7', role: 'instructor', exp: 1_795_000_000 })}.signature`;
  expect(readAccessToken(text)).toEqual({
    text,
    personId: 7,
    role: 'instructor',
    expiresAt: 1_795_000_000_000,
  });
});

test('text that is not a JWT is rejected', () => {
  expect(() => readAccessToken('abc')).toThrow('not a JWT');
});

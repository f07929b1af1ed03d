import { expect, test } from 'vitest';
import {
  hashLoginIdentifier,
  isEmail,
  isInternationalMobile,
  normalizeMobile,
  parseLoginIdentifier,
} from '../src/domain/loginIdentifier.ts';

test.each([
  ['Ada@School.Example', { kind: 'email', value: 'ada@school.example' }],
  ['+43 660 123-45-67', { kind: 'mobile', value: '+436601234567' }],
  ['+43\u00a0660\u2011123', { kind: 'mobile', value: '+43660123' }],
  ['ada', { kind: 'mobile', value: 'ada' }],
  ['JO\u0308RG@Schüle.example', { kind: 'email', value: 'jörg@schüle.example' }],
])('%s is parsed as %j (D8)', (text, identifier) => {
  expect(parseLoginIdentifier(text)).toEqual(identifier);
});

test.each([
  ['+436601234567', true],
  ['+1 212 555-0100', true],
  ['06601234567', false],
  ['+06601234567', false],
  ['+123456', false],
  ['+1234567890123456', false],
  ['+43660abc4567', false],
])('%s is a mobile number in international form: %s', (text, expected) => {
  expect(isInternationalMobile(normalizeMobile(text))).toBe(expected);
});

test.each([
  ['ada@school.example', true],
  ["o'neil+tag@school.example", true],
  ['ada@localhost', true],
  ['jörg@school.example', true],
  ['جورج@مدرسة.example', true],
  ['jörg@school..example', false],
  ['jörg\u00a0b@school.example', false],
  ['jörg\u2028@school.example', false],
  ['ada', false],
  ['ada@', false],
  ['ada @school.example', false],
  ['ada@school..example', false],
  ['ada@school.example\nBcc: x@y.example', false],
])('%j is an email address: %s', (text, expected) => {
  expect(isEmail(text)).toBe(expected);
});

test('the hash of an identifier ignores case and does not contain the identifier', () => {
  const hash = hashLoginIdentifier(parseLoginIdentifier('ADA@school.example'));
  expect(hash).toBe(hashLoginIdentifier(parseLoginIdentifier('ada@SCHOOL.example')));
  expect(hash).not.toContain('ada');
});

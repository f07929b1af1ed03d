import { describe, expect, test } from 'vitest';
import {
  isEmail,
  isInternational,
  keyOf,
  normaliseMobile,
  readIdentifier,
} from '../src/domain/loginIdentifier.ts';
import { fullName, missingData } from '../src/domain/user.ts';

test.each([
  ['Ada@School.Example', { kind: 'email', value: 'ada@school.example' }],
  ['+43 660 123-45-67', { kind: 'mobile', value: '+436601234567' }],
  ['+43\u00a0660\u2011123', { kind: 'mobile', value: '+43660123' }],
  ['ada', { kind: 'mobile', value: 'ada' }],
])('%s is read as %j (D8)', (text, identifier) => {
  expect(readIdentifier(text)).toEqual(identifier);
});

test.each([
  ['+436601234567', true],
  ['+1 212 555-0100', true],
  ['06601234567', false],
  ['+06601234567', false],
  ['+123456', false],
  ['+1234567890123456', false],
  ['+43660abc4567', false],
])('whether %s is a number in international form: %s', (text, expected) => {
  expect(isInternational(normaliseMobile(text))).toBe(expected);
});

test.each([
  ['ada@school.example', true],
  ["o'neil+tag@school.example", true],
  ['ada@localhost', true],
  ['ada', false],
  ['ada@', false],
  ['ada @school.example', false],
  ['ada@school..example', false],
  ['ada@school.example\nBcc: x@y.example', false],
])('whether %j is an address: %s', (text, expected) => {
  expect(isEmail(text)).toBe(expected);
});

test('what an identifier is kept by does not tell it', () => {
  const key = keyOf(readIdentifier('ADA@school.example'));
  expect(key).toBe(keyOf(readIdentifier('ada@SCHOOL.example')));
  expect(key).not.toContain('ada');
});

describe('a profile', () => {
  const whole = { firstName: 'Ada', lastName: 'Lovelace', email: 'a@b.example', mobile: '+436601234567' };

  test('with everything in it misses nothing (D15)', () => {
    expect(missingData(whole)).toEqual([]);
  });

  test('misses what is empty, in the order of D15', () => {
    expect(missingData({ firstName: '', lastName: '', email: null, mobile: null })).toEqual([
      ...['first_name', 'last_name', 'email', 'mobile'],
    ]);
    expect(missingData({ ...whole, email: null })).toEqual(['email']);
  });

  test('has a full name without spaces for what is not there', () => {
    expect(fullName(whole)).toBe('Ada Lovelace');
    expect(fullName({ firstName: 'Ada', lastName: '' })).toBe('Ada');
  });
});

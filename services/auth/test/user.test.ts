import { expect, test } from 'vitest';
import { fullName, missingData } from '../src/domain/user.ts';

const complete = { firstName: 'Ada', lastName: 'Lovelace', email: 'a@b.example', mobile: '+436601234567' };

test('a complete profile has no missing data (D15)', () => {
  expect(missingData(complete)).toEqual([]);
});

test('the missing data lists the empty fields in the order of D15', () => {
  const empty = { firstName: '', lastName: '', email: null, mobile: null };
  expect(missingData(empty)).toEqual(['first_name', 'last_name', 'email', 'mobile']);
  expect(missingData({ ...complete, email: null })).toEqual(['email']);
});

test('the full name has no extra spaces when parts are missing', () => {
  expect(fullName(complete)).toBe('Ada Lovelace');
  expect(fullName({ firstName: 'Ada', lastName: '' })).toBe('Ada');
});

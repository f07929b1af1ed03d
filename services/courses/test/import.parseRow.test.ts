import { describe, expect, test } from 'vitest';
import { parseRow } from '../src/import/oneroster/parseRow.ts';

const user = {
  sourcedId: 'u1',
  role: 'student',
  givenName: 'Ada',
  familyName: 'L',
  email: 'ada@school.example',
};
const parseUser = (change: Record<string, string>) => parseRow('users', { ...user, ...change }, false);

describe('rows of users.csv', () => {
  test.each([
    ['student', 'user'],
    ['Teacher', 'instructor'],
    ['aide', 'instructor'],
    ['proctor', 'instructor'],
    ['parent', 'parent'],
    ['guardian', 'parent'],
    ['relative', 'parent'],
  ])('a %s becomes an account with the role %s', (role, expected) => {
    expect(parseUser({ role })).toMatchObject({ action: null, wanted: { role: expected } });
  });

  test('an administrator is ignored with a message', () => {
    expect(parseUser({ role: 'administrator' })).toMatchObject({
      action: 'ignored',
      messages: [expect.stringMatching(/^An import cannot create or change administrators/)],
    });
  });

  test('a username with an @ counts as the address, and a phone number counts only without an address', () => {
    const login = (change: Record<string, string>) => {
      const { email, mobile } = parseUser(change).wanted;
      return [email, mobile];
    };
    expect(login({ sms: '+436601234567' })).toEqual(['ada@school.example', null]);
    expect(login({ email: '', username: 'ada@other.example' })).toEqual(['ada@other.example', null]);
    expect(login({ email: '', username: 'ada', sms: '+436601234567' })).toEqual([null, '+436601234567']);
    expect(login({ email: '' })).toEqual([null, null]);
  });

  test('the parsed row does not contain the password', () => {
    expect(JSON.stringify(parseUser({ password: 'the first password' }))).not.toContain('the first password');
  });

  test('each invalid column has its own message', () => {
    expect(
      parseUser({ sourcedId: '', role: 'x', givenName: ' ', familyName: 'a\0', enabledUser: 'no' }),
    ).toMatchObject({
      action: 'error',
      messages: [
        'The sourcedId field is required.',
        'The givenName field is required.',
        'The familyName contains invalid characters.',
        expect.stringMatching(/^The role must be one of/),
        'The enabledUser must be true or false.',
      ],
    });
  });
});

test('a deletion requires only the sourcedId', () => {
  for (const file of ['users', 'courses', 'classes', 'enrollments'] as const)
    expect(parseRow(file, { sourcedId: 'x', status: 'ToBeDeleted' }, false)).toMatchObject({
      sourcedId: 'x',
      isDeleted: true,
      action: null,
      messages: [],
    });
});

test('enrollments of students, teachers and proctors are planned, and those of other roles are ignored', () => {
  const row = { sourcedId: 'e', classSourcedId: 'k', userSourcedId: 'u' };
  const parse = (change: Record<string, string>) => parseRow('enrollments', { ...row, ...change }, false);
  const status = 'tobedeleted';
  for (const role of ['student', 'Teacher', 'proctor']) {
    expect(parse({ role })).toMatchObject({ action: null, wanted: { role: role.toLowerCase() } });
    expect(parse({ role, status })).toMatchObject({ action: null, wanted: { role: role.toLowerCase() } });
  }
  expect(parse({ role: 'administrator' }).action).toBe('ignored');
  expect(parse({ role: 'administrator', status }).action).toBe('ignored');
  expect(parse({ role: 'pupil' }).action).toBe('error');
});

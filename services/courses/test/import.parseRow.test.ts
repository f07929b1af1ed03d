import { describe, expect, test } from 'vitest';
import { readRow } from '../src/import/oneroster/parseRow.ts';

const user = {
  sourcedId: 'u1',
  role: 'student',
  givenName: 'Ada',
  familyName: 'L',
  email: 'ada@school.example',
};
const read = (change: Record<string, string>) => readRow('users', { ...user, ...change }, false);

describe('a row of users.csv', () => {
  test.each([
    ['student', 'user'],
    ['Teacher', 'instructor'],
    ['aide', 'instructor'],
    ['proctor', 'instructor'],
    ['parent', 'parent'],
    ['guardian', 'parent'],
    ['relative', 'parent'],
  ])('of a %s is an account of the role %s', (role, expected) => {
    expect(read({ role })).toMatchObject({ action: null, wanted: { role: expected } });
  });

  test('of an administrator is ignored, and says so', () => {
    expect(read({ role: 'administrator' })).toMatchObject({
      action: 'ignored',
      messages: [expect.stringMatching(/^No import makes/)],
    });
  });

  test('takes a user name that is an address, and a number only where there is no address', () => {
    const login = (change: Record<string, string>) => {
      const { email, mobile } = read(change).wanted;
      return [email, mobile];
    };
    expect(login({ sms: '+436601234567' })).toEqual(['ada@school.example', null]);
    expect(login({ email: '', username: 'ada@other.example' })).toEqual(['ada@other.example', null]);
    expect(login({ email: '', username: 'ada', sms: '+436601234567' })).toEqual([null, '+436601234567']);
    expect(login({ email: '' })).toEqual([null, null]);
  });

  test('never keeps its password', () => {
    expect(JSON.stringify(read({ password: 'the first password' }))).not.toContain('the first password');
  });

  test('says of every column what is wrong with it', () => {
    expect(
      read({ sourcedId: '', role: 'x', givenName: ' ', familyName: 'a\0', enabledUser: 'no' }),
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

test('what is to be deleted needs nothing but its name', () => {
  for (const file of ['users', 'courses', 'classes', 'enrollments'] as const)
    expect(readRow(file, { sourcedId: 'x', status: 'ToBeDeleted' }, false)).toMatchObject({
      ...{ sourcedId: 'x', isDeleted: true, action: null, messages: [] },
    });
});

test('only students are enrolled', () => {
  const row = { sourcedId: 'e', classSourcedId: 'k', userSourcedId: 'u' };
  expect(readRow('enrollments', { ...row, role: 'student' }, false).action).toBe(null);
  expect(readRow('enrollments', { ...row, role: 'teacher' }, false).action).toBe('ignored');
  expect(readRow('enrollments', { ...row, role: 'teacher', status: 'tobedeleted' }, false).action).toBe(
    'ignored',
  );
  expect(readRow('enrollments', { ...row, role: 'pupil' }, false).action).toBe('error');
});

import { expect, test } from 'vitest';
import { userChangeOf } from './userFormData.ts';
import type { User } from './userTypes.ts';

const ada: User = {
  id: 7,
  first_name: 'Ada',
  last_name: 'Lovelace',
  name: 'Ada Lovelace',
  email: 'ada@school.example',
  mobile: null,
  role: 'user',
  is_approved: true,
  is_blocked: false,
  is_verified: true,
  is_verified_mobile: false,
  created_at: '2026-11-01 08:00:00',
};

function formWith(changes: Record<string, string>): FormData {
  const form = new FormData();
  const fields = {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@school.example',
    mobile: '',
    password: '',
    role: 'user',
    is_approved: 'on',
    is_verified: 'on',
    ...changes,
  };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

test("only changed fields are sent, so that another administrator's changes are kept", () => {
  expect(userChangeOf(formWith({}), ada)).toEqual({});
  expect(userChangeOf(formWith({ last_name: ' King ', role: 'instructor' }), ada)).toEqual({
    last_name: 'King',
    role: 'instructor',
  });
});

test('an emptied address is removed, and an empty password changes nothing', () => {
  expect(userChangeOf(formWith({ email: '', password: ' a long one ' }), ada)).toEqual({
    email: null,
    password: ' a long one ',
  });
});

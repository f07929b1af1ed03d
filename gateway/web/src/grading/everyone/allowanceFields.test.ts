import { expect, test } from 'vitest';
import { allowanceFields } from './allowanceFields.ts';

test('an allowance has the entered values, and omits empty fields', () => {
  const form = new FormData();
  for (const name of ['closes_at', 'extra_minutes', 'note']) form.set(name, ' ');
  expect(allowanceFields(form)).toEqual({ closes_at: null, extra_minutes: 0, excused: false, note: null });
  form.set('extra_minutes', '15');
  form.set('excused', 'on');
  form.set('note', 'Ill since Monday');
  expect(allowanceFields(form)).toMatchObject({ extra_minutes: 15, excused: true, note: 'Ill since Monday' });
});

test('minutes that are not a number are sent for the server to reject', () => {
  const form = new FormData();
  form.set('extra_minutes', 'many');
  expect(allowanceFields(form).extra_minutes).toBe('many');
});

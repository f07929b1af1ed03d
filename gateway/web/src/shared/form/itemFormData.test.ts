import { expect, test } from 'vitest';
import { bodyOf } from './itemFormData.ts';

function formOf(fields: Record<string, string | File>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

const times = ['closes_at'];

test('a new item has the entered values, with its time in UTC', () => {
  const body = bodyOf(formOf({ title: ' First steps ', closes_at: '2026-12-01T18:00', opens_at: '' }), times);
  expect(Object.fromEntries(body)).toEqual({
    title: 'First steps',
    closes_at: '2026-12-01T18:00:00Z',
  });
});

test('a change sends the changed fields and clears the emptied ones', () => {
  const before = { title: 'First steps', closes_at: '2026-12-01T18:00', total: '10' };
  const form = formOf({ title: 'First steps', closes_at: '', total: '12', description: '' });
  expect(Object.fromEntries(bodyOf(form, times, before))).toEqual({ closes_at: '', total: '12' });
});

test('a file field without a file is left out, but an empty file is sent', () => {
  const none = new File([], '');
  const empty = new File([], 'questions.pdf');
  expect([...bodyOf(formOf({ file: none }), times).keys()]).toEqual([]);
  expect([...bodyOf(formOf({ file: empty }), times).keys()]).toEqual(['file']);
});

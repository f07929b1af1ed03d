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

test('a change sends the fields that differ, and clears those that were emptied', () => {
  const before = { title: 'First steps', closes_at: '2026-12-01T18:00', total: '10' };
  const form = formOf({ title: 'First steps', closes_at: '', total: '12', description: '' });
  expect(Object.fromEntries(bodyOf(form, times, before))).toEqual({ closes_at: '', total: '12' });
});

test('a field for a file without one is left out, and an empty file is not', () => {
  const none = new File([], '');
  const empty = new File([], 'questions.pdf');
  expect([...bodyOf(formOf({ file: none }), times).keys()]).toEqual([]);
  expect([...bodyOf(formOf({ file: empty }), times).keys()]).toEqual(['file']);
});

import { expect, test } from 'vitest';
import { itemStateAt } from './itemState.ts';

const now = new Date('2026-11-28T10:00:00Z');
const late = { until: '2026-11-28T11:00:00Z', grace_minutes: 0, penalty_percent: 5, floor_percent: 0 };
const item = { published: true, closes_at: '2026-11-28T10:00:01Z', late: null };

test('an item that is not published is a draft, even after its closing time', () => {
  expect(itemStateAt({ ...item, published: false }, now)).toBe('draft');
  expect(itemStateAt({ ...item, published: false, closes_at: '2026-11-01T10:00:00Z' }, now)).toBe('draft');
});

test('an item is open until its closing time, or forever without one', () => {
  expect(itemStateAt(item, now)).toBe('open');
  expect(itemStateAt({ ...item, closes_at: null }, now)).toBe('open');
  expect(itemStateAt({ ...item, closes_at: '2026-11-28T10:00:00Z' }, now)).toBe('closed');
});

test('an item that accepts late work is open until the end of that time', () => {
  const closed = { ...item, closes_at: '2026-11-28T09:00:00Z' };
  expect(itemStateAt({ ...closed, late: { ...late, per: 'day' } }, now)).toBe('open');
  expect(itemStateAt({ ...closed, late: { ...late, per: 'day', until: '2026-11-28T09:59:59Z' } }, now)).toBe(
    'closed',
  );
});

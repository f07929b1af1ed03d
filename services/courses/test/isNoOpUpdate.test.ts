import { expect, test } from 'vitest';
import { hasChanges } from '../src/domain/isNoOpUpdate.ts';

const course = { title: 'Algebra', description: null as string | null };

test('what is the same, or not given, is no change', () => {
  expect(hasChanges(course, {})).toBe(false);
  expect(hasChanges(course, { title: 'Algebra', description: null })).toBe(false);
});

test('one different value is a change', () => {
  expect(hasChanges(course, { title: 'Algebra', description: '' })).toBe(true);
  expect(hasChanges(course, { title: 'algebra' })).toBe(true);
});

import { expect, test } from 'vitest';
import { isNoOpUpdate } from '../src/domain/isNoOpUpdate.ts';

const course = { title: 'Algebra', description: null as string | null };

test('an update with equal or absent values is a no-op', () => {
  expect(isNoOpUpdate(course, {})).toBe(true);
  expect(isNoOpUpdate(course, { title: 'Algebra', description: null })).toBe(true);
});

test('an update with one different value is not a no-op', () => {
  expect(isNoOpUpdate(course, { title: 'Algebra', description: '' })).toBe(false);
  expect(isNoOpUpdate(course, { title: 'algebra' })).toBe(false);
});

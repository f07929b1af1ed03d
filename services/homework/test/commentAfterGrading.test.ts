import { expect, test } from 'vitest';
import { commentAfterGrading } from '../src/domain/commentAfterGrading.ts';

test.each([
  ['an absent comment keeps the earlier one', 'earlier', undefined, 'earlier'],
  ['an absent comment keeps that there is none', null, undefined, null],
  ['null clears the earlier one', 'earlier', null, null],
  ['a given comment takes its place', 'earlier', 'later', 'later'],
])('%s (D18)', (_, before, given, after) => {
  expect(commentAfterGrading(before, given)).toBe(after);
});

import { expect, test } from 'vitest';
import { commentAfterGrading } from '../src/domain/commentAfterGrading.ts';

test.each([
  ['an absent comment keeps the earlier comment', 'earlier', undefined, 'earlier'],
  ['an absent comment adds none', null, undefined, null],
  ['null clears the earlier comment', 'earlier', null, null],
  ['a given comment replaces it', 'earlier', 'later', 'later'],
])('%s (D18)', (_, before, given, after) => {
  expect(commentAfterGrading(before, given)).toBe(after);
});

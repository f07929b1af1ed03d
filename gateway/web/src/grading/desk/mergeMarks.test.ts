import { expect, test } from 'vitest';
import type { Annotation } from '../queue/gradingTypes.ts';
import { mergeMarks } from './mergeMarks.ts';

const mark = (id: string, x = 0): Annotation => ({
  ...{ id, file_id: 1, page: 1, kind: 'check', rect: [x, 0, 10, 10] },
  ...{ points: null, text: null, color: null, item_id: null },
});

test('the marks of both graders stay', () => {
  const [base, mine, theirs] = [mark('base'), mark('mine'), mark('theirs')];
  expect(mergeMarks([base], [base, mine], [base, theirs])).toEqual([base, theirs, mine]);
});

test('a mark that one of them has removed is gone', () => {
  const [kept, removed] = [mark('kept'), mark('removed')];
  expect(mergeMarks([kept, removed], [kept], [kept, removed])).toEqual([kept]);
  expect(mergeMarks([kept, removed], [kept, removed], [kept])).toEqual([kept]);
});

test('a mark that one of them has moved has its new place', () => {
  expect(mergeMarks([mark('a')], [mark('a', 5)], [mark('a')])).toEqual([mark('a', 5)]);
  expect(mergeMarks([mark('a')], [mark('a')], [mark('a', 5)])).toEqual([mark('a', 5)]);
});

test('saving the same marks again adds nothing', () => {
  expect(mergeMarks([], [mark('a')], [mark('a')])).toEqual([mark('a')]);
});

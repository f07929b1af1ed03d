import { describe, expect, test } from 'vitest';
import {
  detailTag,
  isExpected,
  readIfMatch,
  rubricTag,
  type TaggedState,
} from '../../src/grading/entityTags.ts';

const state: TaggedState = {
  id: 5,
  revision: 2,
  grade: 7,
  totalGrade: 10,
  gradedBy: 4,
  gradedAt: new Date('2026-11-21T10:00:00Z'),
  comment: 'Good',
  selection: [1, 2],
  adjustment: 0,
  rubricRevision: 3,
  annotations: [],
  files: [{ id: 9 }],
};
const mark = {
  id: 'a',
  fileId: 9,
  page: 1,
  kind: 'check' as const,
  rect: [1, 2, 3, 4] as [number, number, number, number],
  points: null,
  text: null,
  color: null,
  itemId: null,
};

test('the tag of a submission is a strong entity tag', () => {
  expect(detailTag(state)).toMatch(/^"[\w-]{22}"$/);
  expect(detailTag({ ...state })).toBe(detailTag(state));
});

test.each([
  ['another submission', { id: 6 }],
  ['an earlier grade that was given again', { revision: 4 }],
  ['the grade', { grade: 8 }],
  ['the total', { totalGrade: 20 }],
  ['the same grade of another grader', { gradedBy: 5 }],
  ['the same grade given later', { gradedAt: new Date('2026-11-21T10:00:01Z') }],
  ['the comment', { comment: null }],
  ['the selection', { selection: [1] }],
  ['the adjustment', { adjustment: 5_000 }],
  ['the revision of the rubric', { rubricRevision: 4 }],
  ['an annotation', { annotations: [mark] }],
  ['a new upload', { files: [{ id: 10 }] }],
  ['a removed file', { files: [] }],
])('the tag of a submission changes with %s', (_, change: Partial<TaggedState>) => {
  expect(detailTag({ ...state, ...change })).not.toBe(detailTag(state));
});

test('an annotation that moves changes the tag', () => {
  const moved = { ...mark, rect: [1, 2, 3, 5] as typeof mark.rect };
  expect(detailTag({ ...state, annotations: [moved] })).not.toBe(
    detailTag({ ...state, annotations: [mark] }),
  );
});

test('the tag of a rubric changes with its item and its revision', () => {
  const tags = [rubricTag(1, { revision: 1 }), rubricTag(1, { revision: 2 }), rubricTag(2, { revision: 1 })];
  expect(new Set(tags).size).toBe(3);
});

describe('If-Match', () => {
  test.each([
    ['no header', undefined, undefined],
    ['any state', ' * ', 'any'],
    ['one tag', '"a"', ['"a"']],
    ['several tags', '"a", W/"b" ,c', ['"a"', 'W/"b"', 'c']],
  ])('If-Match is read: %s', (_, header, expected) => {
    expect(readIfMatch(header)).toEqual(expected);
  });

  test('If-Match matches no weak or malformed tag', () => {
    expect(isExpected(['W/"a"', 'a', ''], '"a"')).toBe(false);
    expect(isExpected(['"b"', '"a"'], '"a"')).toBe(true);
    expect(isExpected('any', '"a"')).toBe(true);
  });
});

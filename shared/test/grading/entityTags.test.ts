import { expect, test } from 'vitest';
import {
  detailTag,
  isExpected,
  rubricTag,
  type TaggedState,
  versionTag,
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

test("the tag of the specification's endpoints is strong and changes with each grading and each upload", () => {
  const submission = { revision: 2, submittedAt: new Date('2026-03-01T10:00:00.123Z') };
  const tag = versionTag(submission);
  expect(tag).toMatch(/^"[0-9a-z-]+"$/);
  expect(versionTag({ ...submission, revision: 3 })).not.toBe(tag);
  expect(versionTag({ ...submission, submittedAt: new Date('2026-03-01T10:00:00.124Z') })).not.toBe(tag);
});

test.each([
  ['any state', 'any' as const, true],
  ['its tag', ['"2-a"'], true],
  ['its tag among others', ['"1-a"', '"2-a"'], true],
  ['the tag of another state', ['"1-a"'], false],
  ['a weak tag', ['W/"2-a"'], false],
  ['malformed tags', ['2-a', ''], false],
  ['no tag', [], false],
])('with %s expected, a state is accepted or rejected', (_, expected, isAccepted) => {
  expect(isExpected(expected, '"2-a"')).toBe(isAccepted);
});

import { expect, test } from 'vitest';
import type { GradableSubmission } from '../../src/grading/gradableRepository.ts';
import { planGrade } from '../../src/grading/planGrading.ts';

const before: GradableSubmission = {
  id: 5,
  itemId: 6,
  courseId: 7,
  title: 'Quiz',
  studentId: 8,
  submittedAt: new Date('2026-11-21T10:00:00Z'),
  grade: 7,
  totalGrade: 10,
  comment: 'earlier',
  selection: [1, 2],
  adjustment: 5_000,
  rubricRevision: 3,
  gradedBy: 4,
  gradedAt: new Date('2026-11-21T11:00:00Z'),
  revision: 2,
  release: 'immediate',
  releasedAt: null,
  itemCreatedAt: new Date(0),
  itemRevision: 0,
  hasAnswers: false,
  version: '100',
};
const given = { grade: 7, totalGrade: 10, gradedBy: 9 };

test.each([
  ['an absent comment keeps the earlier comment', 'earlier', undefined, 'earlier'],
  ['an absent comment adds none', null, undefined, null],
  ['null clears the earlier comment', 'earlier', null, null],
  ['a given comment replaces it', 'earlier', 'later', 'later'],
])('%s (D18)', (_, comment, givenComment, after) => {
  const planned = planGrade({ ...before, comment }, { ...given, comment: givenComment });
  expect(planned.after.comment).toBe(after);
});

test('a grade that changes nothing becomes a history entry, but no revision and no event', () => {
  const planned = planGrade(before, given);
  expect(planned).toMatchObject({ isInHistory: true, isPublished: false });
  expect(planned.after).toMatchObject({ revision: 2, gradedBy: 9 });
});

test.each([
  ['the grade', { grade: 8 }],
  ['the total', { totalGrade: 20 }],
  ['the comment', { comment: 'later' }],
])('a change of %s is a new revision with an event', (_, change) => {
  const planned = planGrade(before, { ...given, ...change });
  expect(planned).toMatchObject({ isPublished: true, after: { revision: 3 } });
});

test('a grade clears the selection of a rubric', () => {
  const { after } = planGrade(before, given);
  expect(after).toMatchObject({ selection: [], adjustment: 0, rubricRevision: null });
});

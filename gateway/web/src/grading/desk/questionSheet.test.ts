import { expect, test } from 'vitest';
import type { Answer, Detail, Question, Sheet } from '../queue/gradingTypes.ts';
import { draftOf } from './draft.ts';
import {
  firstQuestion,
  livePoints,
  neighbourQuestion,
  openingPage,
  questionSheet,
  withAnswer,
} from './questionSheet.ts';

const answer = (question_id: number, points: number | null = null): Answer => ({
  ...{ question_id, label: `${question_id}a`, state: points === null ? 'ungraded' : 'graded', points },
  ...{ selection: [], adjustment: 0, rubric_revision: null, comment: null, graded_by: null, graded_at: null },
  ...{ revision: 1, claimed_by: null, claimed_until: null, group_id: null, pages: [] },
  tag: `"answer-11-${question_id}-1"`,
});

const question: Question = {
  ...{ id: 2, label: '2a', title: null, max_points: 4, position: 2, graded: 0 },
  ...{ region: { page: 3, rect: [0, 0, 100, 50] }, rubric: null },
};

const detail = {
  ...{ id: 11, status: 'graded', grade: 9, total_grade: 20, comment: 'Whole', selection: [], adjustment: 0 },
  ...{ rubric: null, rubric_revision: null, annotations: [], graded_questions: 1 },
  files: [{ id: 5 }, { id: 6 }],
  answers: [answer(1, 0.1), answer(2), answer(3, 0.2)],
} as unknown as Detail;
const sheet: Sheet = { detail, etag: '"whole"' };

test('the desk shows an answer as it shows a submission', () => {
  const shown = questionSheet(sheet, question) as Sheet;
  expect(shown.etag).toBe('"answer-11-2-1", "whole"');
  expect(shown.detail).toMatchObject({ status: 'ungraded', grade: null, total_grade: 4, comment: null });
  expect(draftOf(shown.detail, 20)).toMatchObject({ by: 'hand', grade: '', total: '4' });
  expect(questionSheet(sheet, { ...question, id: 9 })).toBeUndefined();
});

test('a newer answer changes nothing else', () => {
  const after = withAnswer(sheet, answer(2, 3));
  expect(after.etag).toBe(sheet.etag);
  expect(after.detail.answers.map(({ points }) => points)).toEqual([0.1, 3, 0.2]);
  expect(after.detail.graded_questions).toBe(3);
});

test('the desk opens on the page of the answer, otherwise on the page of the question, otherwise on the first', () => {
  const onPage: Answer = { ...answer(2), pages: [{ file_id: 6, page: 2 }] };
  expect(openingPage(withAnswer(sheet, onPage).detail, question)).toEqual({ file_id: 6, page: 2 });
  expect(openingPage(detail, question)).toEqual({ file_id: 5, page: 3 });
  expect(openingPage(detail, { ...question, region: null })).toBeUndefined();
  // The file was replaced.
  const gone: Answer = { ...answer(2), pages: [{ file_id: 4, page: 2 }] };
  expect(openingPage(withAnswer(sheet, gone).detail, question)).toEqual({ file_id: 5, page: 3 });
});

test('questions are graded in order, those without points first', () => {
  expect(firstQuestion(detail)).toBe(2);
  expect(firstQuestion(withAnswer(sheet, answer(2, 1)).detail)).toBe(1);
  expect([1, 2, 3].map((id) => neighbourQuestion(detail, id, 1))).toEqual([2, 3, undefined]);
  expect([1, 2, 3].map((id) => neighbourQuestion(detail, id, -1))).toEqual([undefined, 1, 2]);
});

test('the total is the exact sum, with the unsaved points of one question', () => {
  expect(livePoints(detail.answers, 2, undefined)).toBe(0.3);
  expect(livePoints(detail.answers, 2, 3.5)).toBe(3.8);
  expect(livePoints(detail.answers, 1, undefined)).toBe(0.2);
  expect(livePoints([answer(1)], 1, undefined)).toBeUndefined();
});

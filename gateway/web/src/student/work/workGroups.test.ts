import { expect, test } from 'vitest';
import type { Homework, Quiz, QuizSubmission } from '../records/studentTypes.ts';
import { workGroups } from './workGroups.ts';

const quiz = (id: number, fields: Partial<Quiz> = {}): Quiz => ({
  id,
  course_id: 2,
  title: `Quiz ${id}`,
  questions_pdf_url: 'https://school.example/questions',
  questions_count_of_quiz_pdf: null,
  questions: [],
  total_grade_for_quiz_pdf: 10,
  opens_at: null,
  closes_at: null,
  duration_minutes: null,
  late_rule: null,
  started_at: null,
  state: 'open',
  seconds_until: null,
  remaining_seconds: null,
  ...fields,
});

const submission = (quizId: number, fields: Partial<QuizSubmission> = {}): QuizSubmission => ({
  id: 100 + quizId,
  quiz_id: quizId,
  quiz_title: `Quiz ${quizId}`,
  grade: null,
  final_grade: null,
  late: null,
  total_grade: null,
  is_marked: 0,
  pdf_answer_url: null,
  submitted_at: '2026-11-21 10:00:00',
  flags: [],
  ...fields,
});

const homework = (id: number, fields: Partial<Homework> = {}): Homework => ({
  id,
  title: `Homework ${id}`,
  course_id: 2,
  course_title: 'Algebra',
  has_assignment: true,
  assignment_deadline: null,
  assignment_description: null,
  assignment_file_url: null,
  created_at: '2026-11-01 08:00:00',
  questions: [],
  late_rule: null,
  submission: null,
  state: 'open',
  seconds_until: null,
  remaining_seconds: null,
  ...fields,
});

const grouped = (records: Partial<Parameters<typeof workGroups>[0]>) => {
  const groups = workGroups({
    quizzes: [],
    submissions: [],
    homeworks: [],
    courses: [{ id: 2, title: 'Algebra', paid: true }],
    isUploading: () => false,
    ...records,
  });
  return Object.fromEntries(
    Object.entries(groups).map(([name, works]) => [name, works.map(({ id }: { id: number }) => id)]),
  );
};

test('open items are ordered by closing time; items without one come last', () => {
  const { open } = grouped({
    quizzes: [quiz(1), quiz(2, { seconds_until: 900 })],
    homeworks: [homework(3, { seconds_until: 60 })],
  });
  expect(open).toEqual([3, 2, 1]);
});

test('work with no time left is missed unless it was handed in', () => {
  const groups = grouped({
    quizzes: [quiz(1, { state: 'closed' }), quiz(2, { state: 'closed' })],
    submissions: [submission(2)],
  });
  expect(groups).toMatchObject({ missed: [1], handedIn: [2] });
});

test('the server decides which work is open, upcoming and missed, regardless of the times', () => {
  const times = { opens_at: '2026-11-21 11:30:00', closes_at: '2026-11-21 12:30:00' };
  const quizzes = [
    quiz(1, { ...times, state: 'upcoming', seconds_until: 600 }),
    quiz(2, { ...times, state: 'open', seconds_until: 600 }),
    quiz(3, { ...times, state: 'closed' }),
    quiz(4, { ...times, state: 'upcoming', seconds_until: 60 }),
  ];
  expect(grouped({ quizzes })).toMatchObject({ comingUp: [4, 1], open: [2], missed: [3] });
});

test('a response from the previous version, without a state, is accepted', () => {
  const before: object = { state: undefined, seconds_until: undefined };
  const quizzes = [
    quiz(1, { ...before, remaining_seconds: 0 }),
    quiz(2, { ...before, remaining_seconds: 60 }),
    quiz(3, { ...before, remaining_seconds: null }),
  ];
  expect(grouped({ quizzes })).toMatchObject({ missed: [1], open: [2, 3] });
});

test('a submission stays listed after its quiz is removed', () => {
  expect(grouped({ submissions: [submission(9)] })).toMatchObject({ handedIn: [9] });
});

test('an item with a running upload keeps its place after the deadline', () => {
  const quizzes = [quiz(1, { state: 'closed' })];
  expect(grouped({ quizzes, isUploading: ({ id }) => id === 1 })).toMatchObject({ open: [1], missed: [] });
});

test('work can be handed in again until it is graded or its time is up', () => {
  const works = workGroups({
    quizzes: [quiz(1), quiz(2), quiz(3, { state: 'closed' })],
    submissions: [submission(1), submission(2, { is_marked: 1, grade: 8, total_grade: 10 }), submission(3)],
    homeworks: [],
    courses: [],
    isUploading: () => false,
  }).handedIn;
  expect(Object.fromEntries(works.map(({ id, isOpen }) => [id, isOpen]))).toEqual({
    1: true,
    2: false,
    3: false,
  });
});

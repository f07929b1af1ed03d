import { expect, test } from 'vitest';
import type { Homework, Quiz, QuizSubmission } from '../records/studentTypes.ts';
import { schoolNow, workGroups } from './workGroups.ts';

const deviceNow = new Date('2026-11-21T12:00:00Z');

const quiz = (id: number, fields: Partial<Quiz> = {}): Quiz => ({
  id,
  course_id: 2,
  title: `Quiz ${id}`,
  questions_pdf_url: 'https://school.example/questions',
  questions_count_of_quiz_pdf: null,
  total_grade_for_quiz_pdf: 10,
  opens_at: null,
  closes_at: null,
  duration_minutes: null,
  started_at: null,
  remaining_seconds: null,
  ...fields,
});

const submission = (quizId: number, fields: Partial<QuizSubmission> = {}): QuizSubmission => ({
  id: 100 + quizId,
  quiz_id: quizId,
  quiz_title: `Quiz ${quizId}`,
  grade: null,
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
  submission: null,
  remaining_seconds: null,
  ...fields,
});

const grouped = (records: Partial<Parameters<typeof workGroups>[0]>) => {
  const groups = workGroups({
    quizzes: [],
    submissions: [],
    homeworks: [],
    courses: [{ id: 2, title: 'Algebra', paid: true }],
    deviceNow,
    isUploading: () => false,
    ...records,
  });
  return Object.fromEntries(
    Object.entries(groups).map(([name, works]) => [name, works.map(({ id }: { id: number }) => id)]),
  );
};

test('open items are ordered by their end; those without a limit come last', () => {
  const { open } = grouped({
    quizzes: [quiz(1), quiz(2, { remaining_seconds: 900 })],
    homeworks: [homework(3, { remaining_seconds: 60 })],
  });
  expect(open).toEqual([3, 2, 1]);
});

test('without time left it was missed, unless it was handed in', () => {
  const groups = grouped({
    quizzes: [quiz(1, { remaining_seconds: 0 }), quiz(2, { remaining_seconds: 0 })],
    submissions: [submission(2)],
  });
  expect(groups).toMatchObject({ missed: [1], handedIn: [2] });
});

test('what opens later comes up, by the time of the school', () => {
  const later = quiz(1, { opens_at: '2026-11-21 11:30:00', questions_pdf_url: null });
  // The device takes noon for now; the school's answers say that it is ten o'clock.
  const told = quiz(2, { closes_at: '2026-11-21 11:00:00', remaining_seconds: 3_600 });
  expect(grouped({ quizzes: [later, told] })).toMatchObject({ comingUp: [1], open: [2] });
  expect(grouped({ quizzes: [later] })).toMatchObject({ open: [1] });
});

test('a quiz whose questions are shown has opened, whatever the clocks say', () => {
  expect(grouped({ quizzes: [quiz(1, { opens_at: '2026-11-22 11:30:00' })] })).toMatchObject({ open: [1] });
});

test('a submission stays listed after its quiz is removed', () => {
  expect(grouped({ submissions: [submission(9)] })).toMatchObject({ handedIn: [9] });
});

test('an item with a running upload keeps its place after the deadline', () => {
  const quizzes = [quiz(1, { remaining_seconds: 0 })];
  expect(grouped({ quizzes, isUploading: ({ id }) => id === 1 })).toMatchObject({ open: [1], missed: [] });
});

test('until it is graded, and while there is time, work can be handed in again', () => {
  const works = workGroups({
    quizzes: [quiz(1), quiz(2), quiz(3, { remaining_seconds: 0 })],
    submissions: [submission(1), submission(2, { is_marked: 1, grade: 8, total_grade: 10 }), submission(3)],
    homeworks: [],
    courses: [],
    deviceNow,
    isUploading: () => false,
  }).handedIn;
  expect(Object.fromEntries(works.map(({ id, isOpen }) => [id, isOpen]))).toEqual({
    1: true,
    2: false,
    3: false,
  });
});

test('an attempt that has begun does not give the time of the school', () => {
  const begun = quiz(1, {
    closes_at: '2026-11-21 18:00:00',
    started_at: '2026-11-21 10:00:00',
    duration_minutes: 45,
    remaining_seconds: 600,
  });
  expect(schoolNow([begun], [])).toBeUndefined();
  const deadline = homework(1, { assignment_deadline: '21/11/2026 06:00 PM', remaining_seconds: 3_600 });
  expect(schoolNow([begun], [deadline])).toEqual(new Date('2026-11-21T17:00:00Z'));
});

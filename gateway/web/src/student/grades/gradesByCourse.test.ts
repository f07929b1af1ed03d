import { expect, test } from 'vitest';
import type { Grade, Homework, Quiz, QuizSubmission } from '../records/studentTypes.ts';
import { gradesByCourse } from './gradesByCourse.ts';

const grade = (fields: Partial<Grade>): Grade => ({
  kind: 'quiz',
  title: 'First steps',
  course_id: 2,
  grade: 8,
  final_grade: 8,
  late: null,
  total_grade: 10,
  graded_at: '2026-11-21 10:00:00',
  ...fields,
});
const nothing = { courses: [], quizzes: [], submissions: [], homeworks: [] };
const courses = [
  { id: 1, title: 'Analysis', paid: true },
  { id: 2, title: 'Algebra', paid: true },
];

test('grades are listed by course, newest first; courses without grades come last', () => {
  const grades = [grade({ title: 'Old' }), grade({ title: 'New', graded_at: '2026-11-22 10:00:00' })];
  const listed = gradesByCourse({ ...nothing, courses, grades });
  expect(listed.map(({ title, grades: of }) => [title, of.map((each) => each.title)])).toEqual([
    ['Algebra', ['New', 'Old']],
    ['Analysis', []],
  ]);
});

test('a grade stays listed after the student has left the course', () => {
  expect(gradesByCourse({ ...nothing, courses: [], grades: [grade({ course_id: 9 })] })).toMatchObject([
    { id: 9, title: null },
  ]);
});

test('a grade links to its submission unless the match is ambiguous', () => {
  const quiz = (id: number) => ({ id, course_id: 2 }) as Quiz;
  const submission = (id: number, quizId: number) =>
    ({ id, quiz_id: quizId, quiz_title: 'First steps' }) as QuizSubmission;
  const one = { ...nothing, grades: [grade({})], quizzes: [quiz(1)], submissions: [submission(5, 1)] };
  expect(gradesByCourse(one)[0]?.grades[0]?.submissionId).toBe(5);
  const two = { ...one, quizzes: [quiz(1), quiz(2)], submissions: [submission(5, 1), submission(6, 2)] };
  expect(gradesByCourse(two)[0]?.grades[0]?.submissionId).toBeNull();
});

test('homework and a quiz with the same title are not confused', () => {
  const homework = { course_id: 2, title: 'First steps', submission: { id: 7 } } as Homework;
  const listed = gradesByCourse({ ...nothing, grades: [grade({ kind: 'homework' })], homeworks: [homework] });
  expect(listed[0]?.grades[0]).toMatchObject({ kind: 'homeworks', submissionId: 7 });
});

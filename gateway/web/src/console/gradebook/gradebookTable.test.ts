import { expect, test } from 'vitest';
import { type GradebookGrade, type GradebookRow, gradeOf, itemsOf } from './gradebookTable.ts';

const grade = (
  kind: GradebookGrade['kind'],
  id: number,
  value: number,
  day = 1,
  title = `${kind} ${id}`,
) => ({
  ...{ kind, item_id: id, title, grade: value, total_grade: 10 },
  graded_at: `2026-11-0${day} 10:00:00`,
});
const row = (id: number, ...grades: GradebookGrade[]): GradebookRow => ({
  ...{ student_id: id, student_name: `Student ${id}`, student_email: null },
  grades,
});

const rows = [
  row(1, grade('quiz', 3, 9, 1, 'First steps'), grade('quiz', 12, 4)),
  row(2, grade('homework', 3, 8), grade('quiz', 3, 7, 2, 'The first steps')),
  row(3),
];

test('each graded item is one column; a quiz and homework with the same id are two', () => {
  expect(itemsOf(rows).map(({ key }) => key)).toEqual(['homework-3', 'quiz-3', 'quiz-12']);
});

test('a renamed item has the title of its newest grade', () => {
  expect(itemsOf(rows).map(({ title }) => title)).toEqual(['homework 3', 'The first steps', 'quiz 12']);
});

test('a student without a grade has an empty cell', () => {
  const grades = rows.map((each) => itemsOf(rows).map((item) => gradeOf(each, item)?.grade));
  expect(grades).toEqual([
    [undefined, 9, 4],
    [8, 7, undefined],
    [undefined, undefined, undefined],
  ]);
});

import { expect, test } from 'vitest';
import { type GridColumn, gridRows } from '../src/gradebook/domain/grid.ts';

const student = { studentId: 1, studentName: 'Ada Lovelace', studentEmail: null };

/** The sums of one student with these grades, each out of a total. */
function sumsOf(grades: [grade: number, total: number][]) {
  const items = grades.map(
    (_, index): GridColumn => ({
      kind: 'quiz',
      itemId: index + 1,
      title: 'Quiz',
      totalGrade: null,
      closesAt: null,
      late: null,
      releasedAt: null,
      isAnonymous: false,
    }),
  );
  const works = grades.map(([grade, totalGrade], index) => ({
    studentId: 1,
    kind: 'quiz' as const,
    itemId: index + 1,
    submissionId: index + 1,
    grade,
    totalGrade,
    isHidden: false,
    submittedAt: null,
    isLateWaived: null,
  }));
  const [row] = gridRows({ items, students: [student], works, allowances: [], hidesAnonymous: false });
  return [row?.points, row?.possible, row?.percent];
}

test('the points of a student are the exact sum of decimal grades', () => {
  expect(sumsOf(Array.from({ length: 10 }, () => [0.1, 0.3]))).toEqual([1, 3, 33.33]);
});

test('the percentage has two decimals, and halves are rounded up', () => {
  expect(sumsOf([[2, 3]])).toEqual([2, 3, 66.67]);
  expect(sumsOf([[1.0005, 10]])).toEqual([1.0005, 10, 10.01]);
  expect(sumsOf([[1.0004, 10]])).toEqual([1.0004, 10, 10]);
});

test('the percentage of a hundred items with the largest totals is exact', () => {
  const [grade, total] = [999_999.9999, 999_999.9999];
  expect(sumsOf(Array.from({ length: 100 }, () => [grade, total]))).toEqual([
    99_999_999.99, 99_999_999.99, 100,
  ]);
});

test('a student without grades has no percentage, and one with zero points has 0', () => {
  expect(sumsOf([])).toEqual([0, 0, null]);
  expect(sumsOf([[0, 5]])).toEqual([0, 5, 0]);
});

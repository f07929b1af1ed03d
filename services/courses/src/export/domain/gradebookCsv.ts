import type { Clock } from '@gradeway/shared/http/timestamps';
import { stringify } from 'csv-stringify/sync';
import type { GradebookRow, GradeRepository } from '../../data/gradeRepository.ts';
import { escapeCsvFormula } from './escapeCsvFormula.ts';

interface Dependencies {
  grades: GradeRepository;
  clock: Clock;
}

const columns = [
  ...['student_id', 'student_name', 'student_email'],
  ...['kind', 'item_id', 'title', 'grade', 'total_grade', 'graded_at'],
];

// Students at a time: the most that is in memory, however large the course is.
const batchSize = 200;

/** A course's gradebook as a CSV file (RFC 4180), a line a grade, piece by piece. */
export async function* gradebookCsv(
  { grades, clock }: Dependencies,
  courseId: number,
): AsyncGenerator<string> {
  yield csv([columns]);
  for await (const rows of grades.batchesOfGraded(courseId, batchSize))
    yield csv(rows.flatMap((row) => linesOf(row, clock)));
}

function linesOf(row: GradebookRow, clock: Clock): (string | number)[][] {
  const student = [
    row.studentId,
    escapeCsvFormula(row.studentName ?? ''),
    escapeCsvFormula(row.studentEmail ?? ''),
  ];
  return row.grades.map(({ kind, itemId, title, grade, totalGrade, gradedAt }) => [
    ...student,
    ...[kind, itemId, escapeCsvFormula(title), grade, totalGrade, clock.format(gradedAt)],
  ]);
}

const csv = (lines: (string | number)[][]): string => stringify(lines, { record_delimiter: 'windows' });

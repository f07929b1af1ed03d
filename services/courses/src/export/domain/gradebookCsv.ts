import { escapeCsvFormula, toCsv } from '@gradeway/shared/csv/writeCsv';
import type { Clock } from '@gradeway/shared/http/timestamps';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { Gradebook, GradebookRow } from '../../domain/grade.ts';

const columns = [
  'student_id',
  'student_name',
  'student_email',
  'kind',
  'item_id',
  'title',
  'grade',
  'total_grade',
  'graded_at',
];

// Bounds memory use regardless of the size of the course.
const studentsPerBatch = 200;

/** Streams the gradebook of a course as CSV (RFC 4180), with one row per grade. */
export async function* gradebookCsv(
  { grades, clock }: Pick<ServiceDependencies, 'grades' | 'clock'>,
  gradebook: Gradebook,
): AsyncGenerator<string> {
  yield toCsv([columns]);
  for await (const students of grades.batchesOfGraded(gradebook, studentsPerBatch))
    yield toCsv(students.flatMap((student) => csvRows(student, clock)));
}

const csvRows = ({ studentId, studentName, studentEmail, grades }: GradebookRow, clock: Clock) =>
  grades.map(({ kind, itemId, title, grade, totalGrade, gradedAt }) => [
    studentId,
    escapeCsvFormula(studentName ?? ''),
    escapeCsvFormula(studentEmail ?? ''),
    kind,
    itemId,
    escapeCsvFormula(title),
    grade,
    totalGrade,
    clock.format(gradedAt),
  ]);

import { z } from 'zod';
import type { LineError } from '../../csv/tableFile.ts';
import { batches } from '../../database/batches.ts';
import { checkInput, requiredMessage, string } from '../../http/validation.ts';
import type { GradedKind } from '../gradedKind.ts';
import { maxCommentLength } from '../gradingSchema.ts';
import type { FileSubmission, FileSubmissionRepository } from './fileSubmissionRepository.ts';
import type { FileChange, GradesFile, GradesLine, GradesPlan } from './gradesFile.ts';

interface Dependencies {
  kind: Pick<GradedKind, 'fixedTotal' | 'gradeFields'>;
  fileSubmissions: FileSubmissionRepository;
}

interface Item {
  id: number;
  /** The total grade of submissions that have none of their own; null if unknown. */
  totalGrade: number | null;
}

const studentsPerBatch = 500;

/** Compares a file with the submissions of an item. */
export async function planGradesFile(
  dependencies: Dependencies,
  item: Item,
  file: GradesFile,
): Promise<GradesPlan> {
  const plan: GradesPlan = { changes: [], unchanged: 0, errors: [...file.errors] };
  const lineOf = new Map<number, number>();
  for (const lines of batches(file.lines, studentsPerBatch)) {
    const submissions = await dependencies.fileSubmissions.ofStudents(item.id, {
      ids: lines.flatMap(({ studentId }) => studentId ?? []),
      emails: lines.flatMap(({ studentId, email }) => (studentId === undefined && email !== '' ? email : [])),
    });
    for (const line of lines) {
      const submission = submissions.find(line);
      const first = submission && lineOf.get(submission.id);
      const result =
        first === undefined
          ? compare(dependencies.kind, item, { line, submission, isFinal: file.isFinal })
          : `Line ${first} has the same student.`;
      if (submission) lineOf.set(submission.id, first ?? line.line);
      if (typeof result === 'string') plan.errors.push({ line: line.line, message: result });
      else if (result === undefined) plan.unchanged += 1;
      else plan.changes.push(result);
    }
  }
  plan.errors.sort(byLine);
  return plan;
}

const byLine = (one: LineError, other: LineError): number => one.line - other.line;

interface Compared {
  line: GradesLine;
  submission: FileSubmission | undefined;
  isFinal: boolean;
}

/** Returns the change to a submission, undefined if nothing changes, or an error message. */
function compare(
  kind: Dependencies['kind'],
  item: Item,
  { line, submission, isFinal }: Compared,
): FileChange | string | undefined {
  if (line.studentId === undefined && line.email === '') return 'A student_id or an email is required.';
  if (!submission) return 'There is no submission of this student.';
  const { grade: given } = line;
  if (typeof given === 'object') return given.message;
  const grade = given === undefined || given === currentGrade(submission, isFinal) ? null : given;
  const comment =
    line.comment === '' || line.comment === submission.comment?.trim() ? undefined : line.comment;
  if (grade === null && comment === undefined) return undefined;
  const totalGrade = kind.fixedTotal ?? submission.totalGrade ?? item.totalGrade;
  const error =
    identityError(line, submission) ??
    (comment === undefined ? undefined : commentError(comment)) ??
    (grade === null
      ? missingGradeError(submission)
      : gradeError(kind, submission, { grade, totalGrade, isFinal }));
  if (error !== undefined) return error;
  const { id: submissionId, version } = submission;
  return { submissionId, version, grade, totalGrade, ...(comment === undefined ? {} : { comment }) };
}

const currentGrade = ({ grade, finalGrade }: FileSubmission, isFinal: boolean): number | null =>
  isFinal ? finalGrade : grade;

// If only one column was sorted in a spreadsheet, the grades would belong to other students.
const identityError = ({ studentId, email }: GradesLine, submission: FileSubmission): string | undefined =>
  studentId !== undefined && email !== '' && email !== submission.email
    ? 'The student_id and the email are of different students.'
    : undefined;

const commentError = (comment: string): string | undefined =>
  checkInput(z.object({ comment: string(maxCommentLength) }), { comment }).errors?.comment?.[0];

const missingGradeError = ({ grade, hasAnswers }: FileSubmission): string | undefined =>
  grade === null && !hasAnswers ? requiredMessage('grade') : undefined;

interface GivenGrade {
  grade: number;
  totalGrade: number | null;
  isFinal: boolean;
}

function gradeError(
  { gradeFields }: Pick<GradedKind, 'gradeFields'>,
  { isPenalized, hasAnswers }: FileSubmission,
  { grade, totalGrade, isFinal }: GivenGrade,
): string | undefined {
  if (hasAnswers) return 'The item is graded by question.';
  // The penalty would be deducted a second time.
  if (isFinal && isPenalized)
    return 'This work is late. Enter its grade before the deduction, in a column named grade.';
  const message = checkInput(z.object({ grade: gradeFields.grade }), { grade }).errors?.grade?.[0];
  if (message !== undefined) return message;
  if (totalGrade === null) return requiredMessage('total grade');
  return grade > totalGrade ? 'The grade may not be greater than the total grade.' : undefined;
}

import type { FileUrls } from '@gradeway/shared/files/fileRoutes';
import { type Clock, remainingSeconds } from '@gradeway/shared/http/timestamps';
import type { ListedSubmission } from '../data/submissionLists.ts';
import type { BeginningOfSheet, OwnSubmission } from '../data/submissionRepository.ts';
import { readerOf } from '../domain/questionLink.ts';
import type { Quiz } from '../domain/quiz.ts';
import { closingFor, hasOpened } from '../domain/submissionWindow.ts';

/** The specification's PDF quiz object. */
export function quizView(quiz: Quiz, submissions: ListedSubmission[], urls: FileUrls) {
  return {
    id: quiz.id,
    title: quiz.title,
    questions_pdf_url: urlOf(quiz.questionsFileId, urls),
    questions_count_of_quiz_pdf: quiz.questionsCount,
    total_grade_for_quiz_pdf: quiz.totalGrade,
    submissions: submissions.map((submission) => submissionView(submission, urls)),
  };
}

/** The specification's quiz submission object. */
export function submissionView(submission: ListedSubmission, urls: FileUrls) {
  return {
    id: submission.id,
    student_name: submission.studentName ?? 'Deleted user',
    grade: submission.grade,
    total_grade: submission.totalGrade,
    is_marked: submission.grade === null ? 0 : 1,
    pdf_answer_url: urlOf(submission.fileId, urls),
  };
}

/** A quiz with what its administrator may set beyond the specification. */
export function managedQuizView(quiz: Quiz, submissions: ListedSubmission[], urls: FileUrls, clock: Clock) {
  return { ...quizView(quiz, submissions, urls), course_id: quiz.courseId, ...windowView(quiz, clock) };
}

/** Who looks at a quiz, and when they first opened its questions. */
interface Student {
  studentId: number;
  startedAt: Date | null;
}

/**
 * A quiz as a student finds it, with the seconds that are left to them. The link to the questions is there once the
 * quiz has opened, and is the student's own: opening it is what begins the attempt.
 */
export function availableQuizView(
  quiz: Quiz,
  { studentId, startedAt }: Student,
  urls: FileUrls,
  clock: Clock,
) {
  const questionsFileId = hasOpened(quiz, new Date()) ? quiz.questionsFileId : null;
  return {
    id: quiz.id,
    course_id: quiz.courseId,
    title: quiz.title,
    questions_pdf_url:
      questionsFileId === null ? null : urls(questionsFileId, readerOf({ quizId: quiz.id, studentId })),
    questions_count_of_quiz_pdf: quiz.questionsCount,
    total_grade_for_quiz_pdf: quiz.totalGrade,
    ...windowView(quiz, clock),
    started_at: startedAt && clock.format(startedAt),
    remaining_seconds: remainingSeconds(closingFor(startedAt, quiz)),
  };
}

/** A submission as its student finds it. */
export function ownSubmissionView(submission: OwnSubmission, urls: FileUrls, clock: Clock) {
  return {
    id: submission.id,
    quiz_id: submission.quizId,
    quiz_title: submission.quizTitle,
    grade: submission.grade,
    total_grade: submission.totalGrade,
    is_marked: submission.grade === null ? 0 : 1,
    pdf_answer_url: urlOf(submission.fileId, urls),
    submitted_at: clock.format(submission.submittedAt),
    flags: flagsView(submission, clock),
  };
}

/** What does not fit together about a sheet's beginning, with both times. */
export const flagsView = ({ flags, startAt, recordedStartAt }: BeginningOfSheet, clock: Clock) =>
  flags.map((code) => ({
    code,
    claimed_start_at: clock.format(startAt),
    recorded_start_at: recordedStartAt && clock.format(recordedStartAt),
  }));

function windowView(quiz: Quiz, clock: Clock) {
  return {
    opens_at: quiz.opensAt && clock.format(quiz.opensAt),
    closes_at: quiz.closesAt && clock.format(quiz.closesAt),
    duration_minutes: quiz.durationMinutes,
  };
}

const urlOf = (fileId: number | null, urls: FileUrls): string | null =>
  fileId === null ? null : urls(fileId);

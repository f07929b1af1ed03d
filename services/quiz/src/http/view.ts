import type { FileUrls } from '@gradeway/shared/files/fileRoutes';
import { type Clock, remainingSeconds } from '@gradeway/shared/timestamps';
import type { ListedSubmission } from '../data/submissionLists.ts';
import type { OwnSubmission } from '../data/submissionRepository.ts';
import type { Quiz } from '../domain/quiz.ts';

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

/** A quiz as a student finds it, with the seconds that are left until it closes. */
export function availableQuizView(quiz: Quiz, urls: FileUrls, clock: Clock) {
  return {
    id: quiz.id,
    course_id: quiz.courseId,
    title: quiz.title,
    questions_pdf_url: urlOf(quiz.questionsFileId, urls),
    questions_count_of_quiz_pdf: quiz.questionsCount,
    total_grade_for_quiz_pdf: quiz.totalGrade,
    ...windowView(quiz, clock),
    remaining_seconds: remainingSeconds(quiz.closesAt),
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
  };
}

function windowView(quiz: Quiz, clock: Clock) {
  return {
    opens_at: quiz.opensAt && clock.format(quiz.opensAt),
    closes_at: quiz.closesAt && clock.format(quiz.closesAt),
    duration_minutes: quiz.durationMinutes,
  };
}

const urlOf = (fileId: number | null, urls: FileUrls): string | null =>
  fileId === null ? null : urls(fileId);

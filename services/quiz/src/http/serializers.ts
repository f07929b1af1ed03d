import type { FileUrls } from '@gradeway/shared/files/fileRoutes';
import { type Clock, remainingSeconds } from '@gradeway/shared/http/timestamps';
import type { PersonalTimes } from '@gradeway/shared/items/personalTimes';
import { serializeOwnLateRule } from '@gradeway/shared/items/serializeLateRule';
import { serializeOwnLateness } from '@gradeway/shared/items/submittedWork';
import { deletedUserName } from '@gradeway/shared/projections/deletedUserName';
import { serializeQuestions } from '@gradeway/shared/questions/listedQuestions';
import { periodAt } from '@gradeway/shared/submissions/submissionPeriod';
import type { ListedSubmission } from '../data/submissionQueries.ts';
import type { OwnSubmission } from '../data/submissionRepository.ts';
import type { AttemptStart } from '../domain/answerSheet.ts';
import { encodeReader } from '../domain/questionPdfReader.ts';
import type { ListedQuiz, Quiz } from '../domain/quiz.ts';
import { periodOf } from '../domain/submissionWindow.ts';

/** The PDF quiz object of the specification. */
export function serializeQuiz(
  quiz: Pick<Quiz, 'id' | 'title' | 'questionsFileId' | 'questionsCount' | 'totalGrade'>,
  submissions: ListedSubmission[],
  urls: FileUrls,
) {
  return {
    id: quiz.id,
    title: quiz.title,
    questions_pdf_url: fileUrl(quiz.questionsFileId, urls),
    questions_count_of_quiz_pdf: quiz.questionsCount,
    total_grade_for_quiz_pdf: quiz.totalGrade,
    submissions: submissions.map((submission) => serializeSubmission(submission, urls)),
  };
}

/** The quiz submission object of the specification. */
export function serializeSubmission(submission: ListedSubmission, urls: FileUrls) {
  return {
    id: submission.id,
    student_name: submission.studentName ?? deletedUserName,
    grade: submission.grade,
    total_grade: submission.totalGrade,
    is_marked: submission.grade === null ? 0 : 1,
    pdf_answer_url: fileUrl(submission.fileId, urls),
  };
}

/** A quiz as administrators create and change it, with the properties that the specification lacks. */
export function serializeManagedQuiz(
  quiz: Quiz,
  submissions: ListedSubmission[],
  urls: FileUrls,
  clock: Clock,
) {
  return {
    ...serializeQuiz(quiz, submissions, urls),
    course_id: quiz.courseId,
    ...serializeWindow(quiz, clock),
  };
}

interface Viewer {
  studentId: number;
  /** When the student first opened the question PDF. */
  startedAt: Date | null;
  /** The student's own times. */
  times: PersonalTimes;
}

/**
 * A quiz as a student sees it. Its questions and the link to them appear when the quiz opens. It is personal, because opening
 * it starts the attempt.
 */
export function serializeAvailableQuiz(
  quiz: ListedQuiz,
  { studentId, startedAt, times }: Viewer,
  urls: FileUrls,
  clock: Clock,
) {
  const period = periodOf(startedAt, times);
  const { state, secondsUntil } = periodAt(period, new Date());
  const questionsFileId = state === 'upcoming' ? null : quiz.questionsFileId;
  const reader = encodeReader({ quizId: quiz.id, studentId });
  return {
    id: quiz.id,
    course_id: quiz.courseId,
    title: quiz.title,
    questions_pdf_url: questionsFileId === null ? null : urls(questionsFileId, reader),
    questions_count_of_quiz_pdf: quiz.questionsCount,
    questions: state === 'upcoming' ? null : serializeQuestions(quiz.questions),
    total_grade_for_quiz_pdf: quiz.totalGrade,
    ...serializeWindow(times, clock),
    late_rule: serializeOwnLateRule(quiz.late, times),
    started_at: startedAt && clock.format(startedAt),
    state,
    seconds_until: secondsUntil,
    remaining_seconds: remainingSeconds(period.closesAt),
  };
}

/** A submission as its student sees it. */
export function serializeOwnSubmission(submission: OwnSubmission, urls: FileUrls, clock: Clock) {
  return {
    id: submission.id,
    quiz_id: submission.quizId,
    quiz_title: submission.quizTitle,
    grade: submission.grade,
    total_grade: submission.totalGrade,
    is_marked: submission.grade === null ? 0 : 1,
    pdf_answer_url: fileUrl(submission.fileId, urls),
    submitted_at: clock.format(submission.submittedAt),
    flags: serializeFlags(submission, clock),
    ...serializeOwnLateness(submission, submission.grade),
  };
}

/** The discrepancies between the claimed and the recorded start of an attempt, with both times. */
export const serializeFlags = ({ flags, startAt, recordedStartAt }: AttemptStart, clock: Clock) =>
  flags.map((code) => ({
    code,
    claimed_start_at: clock.format(startAt),
    recorded_start_at: recordedStartAt && clock.format(recordedStartAt),
  }));

type Window = Pick<PersonalTimes, 'opensAt' | 'closesAt' | 'durationMinutes'>;

function serializeWindow({ opensAt, closesAt, durationMinutes }: Window, clock: Clock) {
  return {
    opens_at: opensAt && clock.format(opensAt),
    closes_at: closesAt && clock.format(closesAt),
    duration_minutes: durationMinutes,
  };
}

const fileUrl = (fileId: number | null, urls: FileUrls): string | null =>
  fileId === null ? null : urls(fileId);

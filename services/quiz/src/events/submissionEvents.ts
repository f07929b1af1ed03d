import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import { submissionTimes, type WorkState } from '@gradeway/shared/items/submittedWork';
import { type ItemVisibility, visibilityOf } from '@gradeway/shared/items/visibility';
import type { Submission, SubmittedSheet } from '../domain/submission.ts';

export const submissionSubmitted = (submission: SubmittedSheet): CloudEvent =>
  createEvent('quiz', 'quiz.submission.submitted.v1', `submissions/${submission.id}`, {
    submission_id: submission.id,
    quiz_id: submission.quizId,
    course_id: submission.courseId,
    student_id: submission.studentId,
    ...submissionTimes(submission),
  });

type Work = Pick<Submission, 'id' | 'quizId' | 'courseId' | 'studentId'> & WorkState;

/** The event for a submission whose penalty for late work was waived or restored. */
export const latenessChanged = (submission: Work): CloudEvent =>
  createEvent('quiz', 'quiz.submission.lateness.changed.v1', `submissions/${submission.id}`, {
    submission_id: submission.id,
    quiz_id: submission.quizId,
    course_id: submission.courseId,
    student_id: submission.studentId,
    ...submissionTimes(submission),
  });

/** The event with a submission's current grade, and whether its student sees it. */
export function submissionGraded(submission: Submission & ItemVisibility, title: string): CloudEvent {
  const { grade, totalGrade, comment, gradedBy, gradedAt } = submission;
  if (grade === null || totalGrade === null || gradedBy === null || gradedAt === null)
    throw new Error(`submission ${submission.id} is not graded`);
  return createEvent('quiz', 'quiz.submission.graded.v1', `submissions/${submission.id}`, {
    submission_id: submission.id,
    quiz_id: submission.quizId,
    course_id: submission.courseId,
    student_id: submission.studentId,
    title,
    grade,
    total_grade: totalGrade,
    comment,
    graded_by: gradedBy,
    graded_at: gradedAt.toISOString(),
    ...visibilityOf(submission),
    revision: submission.revision,
  });
}

type Ungraded = Pick<Submission, 'id' | 'quizId' | 'courseId' | 'studentId' | 'revision'>;

/** The event for a submission whose grading was undone. */
export const submissionUngraded = ({ id, quizId, courseId, studentId, revision }: Ungraded): CloudEvent =>
  createEvent('quiz', 'quiz.submission.ungraded.v1', `submissions/${id}`, {
    submission_id: id,
    quiz_id: quizId,
    course_id: courseId,
    student_id: studentId,
    revision,
  });

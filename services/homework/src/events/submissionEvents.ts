import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import { submissionTimes, type WorkState } from '@gradeway/shared/items/submittedWork';
import { type ItemVisibility, visibilityOf } from '@gradeway/shared/items/visibility';
import type { Submission, SubmittedFiles } from '../domain/submission.ts';

export const submissionSubmitted = (submission: SubmittedFiles, courseId: number): CloudEvent =>
  createEvent('homework', 'homework.submission.submitted.v1', `submissions/${submission.id}`, {
    submission_id: submission.id,
    class_id: submission.classId,
    course_id: courseId,
    student_id: submission.studentId,
    ...submissionTimes(submission),
  });

type Work = Pick<Submission, 'id' | 'classId' | 'studentId'> & WorkState;

/** The event for a submission whose penalty for late work was waived or restored. */
export const latenessChanged = (submission: Work, courseId: number): CloudEvent =>
  createEvent('homework', 'homework.submission.lateness.changed.v1', `submissions/${submission.id}`, {
    submission_id: submission.id,
    class_id: submission.classId,
    course_id: courseId,
    student_id: submission.studentId,
    ...submissionTimes(submission),
  });

interface GradedClass {
  title: string;
  courseId: number;
}

/** The event with a submission's current grade, and whether its student sees it. */
export function submissionGraded(
  submission: Submission & ItemVisibility,
  { title, courseId }: GradedClass,
): CloudEvent {
  const { rating, comment, gradedBy, gradedAt } = submission;
  if (rating === null || gradedBy === null || gradedAt === null)
    throw new Error(`submission ${submission.id} is not graded`);
  return createEvent('homework', 'homework.submission.graded.v1', `submissions/${submission.id}`, {
    submission_id: submission.id,
    class_id: submission.classId,
    course_id: courseId,
    student_id: submission.studentId,
    title,
    rating,
    comment,
    graded_by: gradedBy,
    graded_at: gradedAt.toISOString(),
    ...visibilityOf(submission),
    revision: submission.revision,
  });
}

type Ungraded = Pick<Submission, 'id' | 'classId' | 'studentId' | 'revision'>;

/** The event for a submission whose grading was undone. */
export const submissionUngraded = (
  { id, classId, studentId, revision }: Ungraded,
  courseId: number,
): CloudEvent =>
  createEvent('homework', 'homework.submission.ungraded.v1', `submissions/${id}`, {
    submission_id: id,
    class_id: classId,
    course_id: courseId,
    student_id: studentId,
    revision,
  });

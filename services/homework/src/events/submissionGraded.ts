import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Submission } from '../domain/submission.ts';

interface GradedClass {
  title: string;
  courseId: number;
}

/** The event with a submission's current grade. */
export function submissionGraded(submission: Submission, { title, courseId }: GradedClass): CloudEvent {
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
    revision: submission.revision,
  });
}

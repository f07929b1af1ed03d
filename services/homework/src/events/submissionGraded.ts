import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Submission } from '../domain/submission.ts';

interface GradedClass {
  title: string;
  courseId: number;
}

/** A submission's present grade, as its event tells it. */
export function submissionGraded(submission: Submission, { title, courseId }: GradedClass): CloudEvent {
  const { rating, comment, gradedBy, gradedAt } = submission;
  if (rating === null || gradedBy === null || gradedAt === null)
    throw new Error(`submission ${submission.id} has no grade to tell of`);
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

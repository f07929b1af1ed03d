import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Submission } from '../domain/submission.ts';

type Ungraded = Pick<Submission, 'id' | 'classId' | 'studentId' | 'revision'>;

/** The event that a submission has no grade any more. */
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

import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Submission } from '../domain/submission.ts';

export const submissionSubmitted = (submission: Submission, courseId: number): CloudEvent =>
  createEvent('homework', 'homework.submission.submitted.v1', `submissions/${submission.id}`, {
    submission_id: submission.id,
    class_id: submission.classId,
    course_id: courseId,
    student_id: submission.studentId,
  });

import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Submission } from '../domain/submission.ts';

export const submissionSubmitted = (submission: Submission): CloudEvent =>
  createEvent('quiz', 'quiz.submission.submitted.v1', `submissions/${submission.id}`, {
    submission_id: submission.id,
    quiz_id: submission.quizId,
    course_id: submission.courseId,
    student_id: submission.studentId,
  });

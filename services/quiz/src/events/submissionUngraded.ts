import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Submission } from '../domain/submission.ts';

type Ungraded = Pick<Submission, 'id' | 'quizId' | 'courseId' | 'studentId' | 'revision'>;

/** The event that a submission has no grade any more. */
export const submissionUngraded = ({ id, quizId, courseId, studentId, revision }: Ungraded): CloudEvent =>
  createEvent('quiz', 'quiz.submission.ungraded.v1', `submissions/${id}`, {
    submission_id: id,
    quiz_id: quizId,
    course_id: courseId,
    student_id: studentId,
    revision,
  });

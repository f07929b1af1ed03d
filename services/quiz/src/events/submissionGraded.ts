import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Submission } from '../domain/submission.ts';

/** The event with a submission's current grade. */
export function submissionGraded(submission: Submission, title: string): CloudEvent {
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
    revision: submission.revision,
  });
}

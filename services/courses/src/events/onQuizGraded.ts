import type { EventHandler } from '@gradeway/shared/events/consumeEvents';
import { type GradeParts, recordGrade } from '../domain/recordGrade.ts';

export const onQuizGraded =
  (parts: GradeParts): EventHandler<'quiz.submission.graded.v1'> =>
  (event, transaction) => {
    const grade = {
      kind: 'quiz' as const,
      submissionId: event.submission_id,
      courseId: event.course_id,
      studentId: event.student_id,
      itemId: event.quiz_id,
      title: event.title,
      grade: event.grade,
      totalGrade: event.total_grade,
      gradedAt: new Date(event.graded_at),
      revision: event.revision,
    };
    return recordGrade(parts, grade, transaction);
  };

import type { EventHandler } from '@gradeway/shared/events/consumeEvents';
import { type GradeDependencies, recordGrade } from '../domain/recordGrade.ts';

export const onQuizGraded =
  (dependencies: GradeDependencies): EventHandler<'quiz.submission.graded.v1'> =>
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
    return recordGrade(dependencies, grade, transaction);
  };

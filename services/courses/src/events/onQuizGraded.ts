import type { BatchHandler } from '@gradeway/shared/events/consumeEvents';
import { type GradeDependencies, recordGrades } from '../domain/recordGrades.ts';

export const onQuizGraded = (dependencies: GradeDependencies): BatchHandler<'quiz.submission.graded.v1'> => ({
  applyAll(events, transaction) {
    const grades = events.map((event) => ({
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
    }));
    return recordGrades(dependencies, grades, transaction);
  },
});

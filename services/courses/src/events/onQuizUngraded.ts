import type { BatchHandler } from '@gradeway/shared/events/consumeEvents';
import { type GradeDependencies, recordGrades } from '../domain/recordGrades.ts';

export const onQuizUngraded = (
  dependencies: GradeDependencies,
): BatchHandler<'quiz.submission.ungraded.v1'> => ({
  applyAll(events, transaction) {
    const withdrawn = events.map((event) => ({
      kind: 'quiz' as const,
      submissionId: event.submission_id,
      courseId: event.course_id,
      studentId: event.student_id,
      itemId: event.quiz_id,
      revision: event.revision,
    }));
    return recordGrades(dependencies, withdrawn, transaction);
  },
});

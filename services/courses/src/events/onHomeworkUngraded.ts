import type { BatchHandler } from '@gradeway/shared/events/consumeEvents';
import { type GradeDependencies, recordGrades } from '../domain/recordGrades.ts';

export const onHomeworkUngraded = (
  dependencies: GradeDependencies,
): BatchHandler<'homework.submission.ungraded.v1'> => ({
  applyAll(events, transaction) {
    const withdrawn = events.map((event) => ({
      kind: 'homework' as const,
      submissionId: event.submission_id,
      courseId: event.course_id,
      studentId: event.student_id,
      itemId: event.class_id,
      revision: event.revision,
    }));
    return recordGrades(dependencies, withdrawn, transaction);
  },
});

import type { EventData } from '@gradeway/shared/events/catalog';
import type { BatchHandler } from '@gradeway/shared/events/consumeEvents';
import { type GradeDependencies, recordGrades } from '../domain/recordGrades.ts';

// Homework is always rated out of 10 (D20).
const totalGrade = 10;

export const onHomeworkGraded = (
  dependencies: GradeDependencies,
): BatchHandler<'homework.submission.graded.v1'> => ({
  applyAll(events, transaction) {
    const grades = events.map((event) => ({
      ...submissionOf(event),
      title: event.title,
      grade: event.rating,
      totalGrade,
      gradedAt: new Date(event.graded_at),
      visibleFrom: event.visible_from ?? null,
      itemRevision: event.item_revision ?? null,
    }));
    return recordGrades(dependencies, grades, transaction);
  },
});

export const onHomeworkUngraded = (
  dependencies: GradeDependencies,
): BatchHandler<'homework.submission.ungraded.v1'> => ({
  applyAll: (events, transaction) => recordGrades(dependencies, events.map(submissionOf), transaction),
});

const submissionOf = (event: EventData['homework.submission.ungraded.v1']) => ({
  kind: 'homework' as const,
  submissionId: event.submission_id,
  courseId: event.course_id,
  studentId: event.student_id,
  itemId: event.class_id,
  revision: event.revision,
});

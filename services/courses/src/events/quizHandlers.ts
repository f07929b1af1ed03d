import type { EventData } from '@gradeway/shared/events/catalog';
import type { BatchHandler } from '@gradeway/shared/events/consumeEvents';
import { type GradeDependencies, recordGrades } from '../domain/recordGrades.ts';

export const onQuizGraded = (dependencies: GradeDependencies): BatchHandler<'quiz.submission.graded.v1'> => ({
  applyAll(events, transaction) {
    const grades = events.map((event) => ({
      ...submissionOf(event),
      title: event.title,
      grade: event.grade,
      totalGrade: event.total_grade,
      gradedAt: new Date(event.graded_at),
      visibleFrom: event.visible_from ?? null,
      itemRevision: event.item_revision ?? null,
    }));
    return recordGrades(dependencies, grades, transaction);
  },
});

export const onQuizUngraded = (
  dependencies: GradeDependencies,
): BatchHandler<'quiz.submission.ungraded.v1'> => ({
  applyAll: (events, transaction) => recordGrades(dependencies, events.map(submissionOf), transaction),
});

const submissionOf = (event: EventData['quiz.submission.ungraded.v1']) => ({
  kind: 'quiz' as const,
  submissionId: event.submission_id,
  courseId: event.course_id,
  studentId: event.student_id,
  itemId: event.quiz_id,
  revision: event.revision,
});

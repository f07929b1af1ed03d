import type { GradedKind } from '@gradeway/shared/grading/gradedKind';
import { ratingGrade } from '@gradeway/shared/grading/gradeResult';
import { integer } from '@gradeway/shared/http/validation';
import { gradingTables } from '../data/gradingTables.ts';
import { homeworkNotFound } from '../domain/homework.ts';
import { latenessChanged, submissionGraded, submissionUngraded } from '../events/submissionEvents.ts';

/** The rules for grading homework: a rating from 1 to 10. */
export const gradedHomeworks: GradedKind = {
  name: 'homeworks',
  service: 'homework',
  tables: gradingTables,
  rule: ratingGrade,
  fixedTotal: 10,
  gradeFields: { grade: integer(1, 10) },
  specification: { notFound: homeworkNotFound, auditedGrade: ({ grade }) => ({ rating: grade }) },
  audit: {
    action: 'homework.graded',
    undone: 'homework.ungraded',
    submission: 'homework_submission',
    item: 'assignment',
    allowance: 'assignment_allowance',
    question: 'assignment_question',
  },
  gradedEvent: ({ itemId: classId, grade: rating, ...submission }) =>
    submissionGraded({ classId, rating, ...submission }, submission),
  ungradedEvent: ({ itemId: classId, ...submission }) =>
    submissionUngraded({ classId, ...submission }, submission.courseId),
  latenessEvent: ({ itemId: classId, courseId, ...submission }) =>
    latenessChanged({ classId, ...submission }, courseId),
  flagsOf: () => [],
};

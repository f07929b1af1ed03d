import { notFound } from '@gradeway/shared/errors/appError';
import type { GradedKind } from '@gradeway/shared/grading/gradedKind';
import { pointsGrade } from '@gradeway/shared/grading/gradeResult';
import type { QueueRow } from '@gradeway/shared/grading/queueRow';
import type { Clock } from '@gradeway/shared/http/timestamps';
import { gradingTables } from '../data/gradingTables.ts';
import type { AttemptStart } from '../domain/answerSheet.ts';
import { latenessChanged, submissionGraded, submissionUngraded } from '../events/submissionEvents.ts';
import { gradeFields } from './schemas.ts';
import { serializeFlags } from './serializers.ts';

/** The rules for grading quizzes: points out of a total. */
export const gradedQuizzes = (clock: Clock): GradedKind => ({
  name: 'quizzes',
  service: 'quiz',
  tables: gradingTables,
  rule: pointsGrade,
  fixedTotal: undefined,
  gradeFields,
  specification: {
    notFound: () => notFound(),
    auditedGrade: ({ grade, totalGrade }) => ({ grade, totalGrade }),
  },
  audit: {
    action: 'quiz.graded',
    undone: 'quiz.ungraded',
    submission: 'quiz_submission',
    item: 'quiz',
    allowance: 'quiz_allowance',
    question: 'quiz_question',
  },
  gradedEvent: ({ itemId: quizId, title, ...submission }) =>
    submissionGraded({ quizId, ...submission }, title),
  ungradedEvent: ({ itemId: quizId, ...submission }) => submissionUngraded({ quizId, ...submission }),
  latenessEvent: ({ itemId: quizId, ...submission }) => latenessChanged({ quizId, ...submission }),
  flagsOf: (row) => serializeFlags(row as QueueRow & AttemptStart, clock),
});

import type { EventData } from '@gradeway/shared/events/catalog';
import type { BatchHandler } from '@gradeway/shared/events/consumeEvents';
import type { AllowanceState, ItemState } from '@gradeway/shared/events/items';
import { saveQuizTitle } from '../../data/quizTitles.ts';
import type { ProjectionDependencies } from '../dependencies.ts';
import type { GradebookItem, Kind } from '../domain/projections.ts';
import { recordAllowances, recordSubmissions } from '../domain/recordProjections.ts';

export const onHomeworkChanged = ({
  projections,
}: ProjectionDependencies): BatchHandler<'homework.changed.v1'> => ({
  applyAll: (items, transaction) =>
    projections.saveItems(
      items.map((item) => itemOf('homework', item)),
      transaction,
    ),
});

export const onQuizChanged = ({
  sequelize,
  projections,
}: ProjectionDependencies): BatchHandler<'quiz.changed.v1'> => ({
  async applyAll(quizzes, transaction) {
    const items = quizzes.filter(isComplete).map((quiz) => itemOf('quiz', quiz));
    if (items.length > 0) await projections.saveItems(items, transaction);
    // Published by an earlier version.
    for (const quiz of quizzes) if (!isComplete(quiz)) await saveQuizTitle(sequelize, quiz, transaction);
  },
});

type SubmissionHandler<Service extends Kind> = BatchHandler<`${Service}.submission.submitted.v1`> &
  BatchHandler<`${Service}.submission.lateness.changed.v1`>;

export const onHomeworkSubmission = (
  dependencies: ProjectionDependencies,
): SubmissionHandler<'homework'> => ({
  applyAll: (events, transaction) =>
    recordSubmissions(
      dependencies,
      events.map((event) => ({ kind: 'homework', itemId: event.class_id, ...submissionOf(event) })),
      transaction,
    ),
});

export const onQuizSubmission = (dependencies: ProjectionDependencies): SubmissionHandler<'quiz'> => ({
  applyAll: (events, transaction) =>
    recordSubmissions(
      dependencies,
      events.map((event) => ({ kind: 'quiz', itemId: event.quiz_id, ...submissionOf(event) })),
      transaction,
    ),
});

export const onAllowanceChanged = (
  kind: Kind,
  dependencies: ProjectionDependencies,
): BatchHandler<'homework.allowance.changed.v1'> & BatchHandler<'quiz.allowance.changed.v1'> => ({
  applyAll: (events, transaction) =>
    recordAllowances(
      dependencies,
      events.map((event) => allowanceOf(kind, event)),
      transaction,
    ),
});

const isComplete = (quiz: EventData['quiz.changed.v1']): quiz is ItemState => quiz.published !== undefined;

const itemOf = (kind: Kind, item: ItemState): GradebookItem => ({
  kind,
  itemId: item.id,
  courseId: item.course_id,
  title: item.title,
  totalGrade: item.total_grade,
  createdAt: item.created_at,
  published: item.published,
  opensAt: item.opens_at,
  closesAt: item.closes_at,
  late: item.late,
  releasedAt: item.released_at,
  anonymous: item.anonymous,
  isDeleted: item.is_deleted,
  revision: item.revision,
});

type Submitted = EventData[`${Kind}.submission.submitted.v1`];

const submissionOf = (event: Submitted) => ({
  submissionId: event.submission_id,
  courseId: event.course_id,
  studentId: event.student_id,
  submittedAt: event.submitted_at ?? null,
  isLateWaived: event.late_waived ?? false,
  stateRevision: event.state_revision ?? 0,
});

const allowanceOf = (kind: Kind, event: AllowanceState) => ({
  kind,
  itemId: event.item_id,
  studentId: event.student_id,
  closesAt: event.is_removed ? null : event.closes_at,
  excused: event.excused && !event.is_removed,
  revision: event.revision,
});

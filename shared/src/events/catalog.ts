import type { z } from 'zod';
import type { AllowanceState, ItemState, SubmissionTimes } from './items.ts';
import type * as schemas from './publicEvents.ts';

/**
 * Every event of the system with its data; publicEvents.ts has the events that webhooks deliver. Times are RFC 3339 in
 * UTC. `revision` increases with each change of the record; consumers ignore a state older than their own.
 */
export interface EventData extends schemas.PublicEventData {
  'homework.submission.lateness.changed.v1': SubmissionKeys<'homework'> & SubmissionTimes;
  'homework.allowance.changed.v1': AllowanceState;
  'homework.changed.v1': ItemState;
  'quiz.submission.lateness.changed.v1': SubmissionKeys<'quiz'> & SubmissionTimes;
  'quiz.allowance.changed.v1': AllowanceState;
  'quiz.changed.v1': QuizState;
  'session.revoked.v1': { session_ids: number[]; revoked_at: string };
  'audit.recorded.v1': AuditEntryState;
}

type SubmissionKeys<Service extends 'homework' | 'quiz'> = Omit<
  schemas.PublicEventData[`${Service}.submission.ungraded.v1`],
  'revision'
>;

export type UserState = z.infer<typeof schemas.user>;
export type CourseState = z.infer<typeof schemas.course>;
export type ClassState = z.infer<typeof schemas.classOfCourse>;
export type EnrollmentState = z.infer<typeof schemas.enrollment>;
export type InstructorState = z.infer<typeof schemas.instructor>;

/** A quiz that was created, changed or deleted. Events of earlier versions have only these fields. */
export type QuizState = Pick<ItemState, 'id' | 'course_id' | 'title' | 'revision'> & Partial<ItemState>;

/** An entry of the audit log (shared/src/audit). */
export interface AuditEntryState {
  entry_id: string;
  at: string;
  actor_id: number | null;
  actor_role: string | null;
  session_id: number | null;
  address: string | null;
  action: string;
  object_type: string | null;
  object_id: string | null;
  changes: Record<string, [before: unknown, after: unknown]> | null;
  request_id: string | null;
}

export type EventType = keyof EventData;

/**
 * Events that webhooks deliver. The states of items, allowances and lateness, `session.revoked.v1` and `audit.recorded.v1` are
 * internal.
 */
export const webhookEventTypes = [
  'homework.submission.submitted.v1',
  'homework.submission.graded.v1',
  'homework.submission.ungraded.v1',
  'homework.published.v1',
  'homework.grades.released.v1',
  'homework.grades.withheld.v1',
  'homework.review.opened.v1',
  'homework.review.closed.v1',
  'quiz.submission.submitted.v1',
  'quiz.submission.graded.v1',
  'quiz.submission.ungraded.v1',
  'quiz.published.v1',
  'quiz.grades.released.v1',
  'quiz.grades.withheld.v1',
  'quiz.review.opened.v1',
  'quiz.review.closed.v1',
  'user.changed.v1',
  'user.deleted.v1',
  'course.changed.v1',
  'course.deleted.v1',
  'class.changed.v1',
  'class.deleted.v1',
  'enrollment.changed.v1',
  'enrollment.deleted.v1',
  'course.instructor.assigned.v1',
  'course.instructor.removed.v1',
] as const satisfies readonly (keyof schemas.PublicEventData)[];

/** The events that each process publishes. Its RabbitMQ user may not publish any others (rabbitPermissions.ts). */
export const publications = {
  auth: ['user.changed.v1', 'user.deleted.v1', 'session.revoked.v1'],
  courses: [
    'course.changed.v1',
    'course.deleted.v1',
    'class.changed.v1',
    'class.deleted.v1',
    'enrollment.changed.v1',
    'enrollment.deleted.v1',
    'course.instructor.assigned.v1',
    'course.instructor.removed.v1',
    'audit.recorded.v1',
  ],
  homework: [
    'homework.submission.submitted.v1',
    'homework.submission.graded.v1',
    'homework.submission.ungraded.v1',
    'homework.submission.lateness.changed.v1',
    'homework.published.v1',
    'homework.grades.released.v1',
    'homework.grades.withheld.v1',
    'homework.allowance.changed.v1',
    'homework.review.opened.v1',
    'homework.review.closed.v1',
    'homework.changed.v1',
    'audit.recorded.v1',
  ],
  quiz: [
    'quiz.submission.submitted.v1',
    'quiz.submission.graded.v1',
    'quiz.submission.ungraded.v1',
    'quiz.submission.lateness.changed.v1',
    'quiz.published.v1',
    'quiz.grades.released.v1',
    'quiz.grades.withheld.v1',
    'quiz.allowance.changed.v1',
    'quiz.review.opened.v1',
    'quiz.review.closed.v1',
    'quiz.changed.v1',
    'audit.recorded.v1',
  ],
} as const satisfies Record<string, readonly EventType[]>;

/** The processes that verify tokens without a call to auth, and the events that shorten their wait. */
export const listeners = {
  gateway: ['session.revoked.v1'],
  courses: ['session.revoked.v1'],
  homework: ['session.revoked.v1'],
  quiz: ['session.revoked.v1'],
} as const satisfies Record<string, readonly EventType[]>;

/**
 * The events that each consumer subscribes to. Every process verifies that all queues exist, so that events published
 * before a consumer is first deployed are not lost. A consumer is named after its process, with an optional suffix.
 */
export const subscriptions = {
  auth: ['audit.recorded.v1'],
  courses: [
    'homework.allowance.changed.v1',
    'homework.changed.v1',
    'homework.submission.graded.v1',
    'homework.submission.lateness.changed.v1',
    'homework.submission.submitted.v1',
    'homework.submission.ungraded.v1',
    'quiz.allowance.changed.v1',
    'quiz.changed.v1',
    'quiz.submission.graded.v1',
    'quiz.submission.lateness.changed.v1',
    'quiz.submission.submitted.v1',
    'quiz.submission.ungraded.v1',
    'user.changed.v1',
    'user.deleted.v1',
  ],
  // Separate queues, so that webhooks and mail never delay the gradebook.
  'courses-webhooks': webhookEventTypes,
  'courses-mail': [
    'homework.submission.submitted.v1',
    'homework.submission.graded.v1',
    'homework.published.v1',
    'homework.grades.released.v1',
    'homework.grades.withheld.v1',
    'homework.review.opened.v1',
    'homework.review.closed.v1',
    'quiz.submission.submitted.v1',
    'quiz.submission.graded.v1',
    'quiz.published.v1',
    'quiz.grades.released.v1',
    'quiz.grades.withheld.v1',
    'quiz.review.opened.v1',
    'quiz.review.closed.v1',
  ],
  homework: [
    'user.changed.v1',
    'user.deleted.v1',
    'course.changed.v1',
    'course.deleted.v1',
    'class.changed.v1',
    'class.deleted.v1',
    'course.instructor.removed.v1',
  ],
  quiz: ['user.changed.v1', 'user.deleted.v1', 'course.instructor.removed.v1'],
} as const satisfies Record<string, readonly EventType[]>;

export type ConsumerName = keyof typeof subscriptions;

export const consumers = Object.keys(subscriptions) as ConsumerName[];

/** True if at least one consumer subscribes to the type. Publishing such an event must reach a queue. */
export const hasConsumer = (type: string): boolean =>
  Object.values(subscriptions).some((types) => (types as readonly string[]).includes(type));

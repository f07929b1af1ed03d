import type { CourseRole } from '../teaching/teachingClient.ts';
import type { AllowanceState, ItemState, PublishedItem, ReleasedGrades, SubmissionTimes } from './items.ts';

/**
 * Every event of the system with its data. Times are RFC 3339 in UTC. `revision` increases with each change of the
 * record; consumers ignore a state older than their own.
 */
export interface EventData {
  // Events published before these fields existed lack them.
  'homework.submission.submitted.v1': HomeworkSubmission & Partial<SubmissionTimes>;
  'homework.submission.lateness.changed.v1': HomeworkSubmission & SubmissionTimes;
  'homework.submission.graded.v1': HomeworkSubmission &
    Graded & { title: string; rating: number; comment: string | null };
  'homework.submission.ungraded.v1': HomeworkSubmission & { revision: number };
  'homework.published.v1': PublishedItem;
  'homework.grades.released.v1': ReleasedGrades;
  'homework.grades.withheld.v1': ReleasedGrades;
  'homework.allowance.changed.v1': AllowanceState;
  'homework.review.opened.v1': HomeworkSubmission & ReviewState;
  'homework.review.closed.v1': HomeworkSubmission & ReviewState;
  // Events published before these fields existed lack them.
  'quiz.submission.submitted.v1': QuizSubmission & Partial<SubmissionTimes>;
  'quiz.submission.lateness.changed.v1': QuizSubmission & SubmissionTimes;
  'quiz.submission.graded.v1': QuizSubmission &
    Graded & { title: string; grade: number; total_grade: number; comment: string | null };
  'quiz.submission.ungraded.v1': QuizSubmission & { revision: number };
  'quiz.published.v1': PublishedItem;
  'quiz.grades.released.v1': ReleasedGrades;
  'quiz.grades.withheld.v1': ReleasedGrades;
  'quiz.allowance.changed.v1': AllowanceState;
  'quiz.review.opened.v1': QuizSubmission & ReviewState;
  'quiz.review.closed.v1': QuizSubmission & ReviewState;
  'user.changed.v1': UserState;
  'user.deleted.v1': UserState;
  'session.revoked.v1': { session_ids: number[]; revoked_at: string };
  'course.changed.v1': CourseState;
  'course.deleted.v1': CourseState;
  'class.changed.v1': ClassState;
  'class.deleted.v1': ClassState;
  'homework.changed.v1': ItemState;
  'quiz.changed.v1': QuizState;
  'enrollment.changed.v1': EnrollmentState;
  'enrollment.deleted.v1': EnrollmentState;
  'course.instructor.assigned.v1': InstructorState;
  'course.instructor.removed.v1': InstructorState;
  'audit.recorded.v1': AuditEntryState;
}

interface HomeworkSubmission {
  submission_id: number;
  class_id: number;
  course_id: number;
  student_id: number;
}

interface QuizSubmission {
  submission_id: number;
  quiz_id: number;
  course_id: number;
  student_id: number;
}

interface Graded {
  graded_by: number;
  graded_at: string;
  /**
   * The time from which the student sees the grade; null while it is hidden. Undefined in events of earlier versions.
   */
  visible_from?: string | null;
  /** The revision of the item that `visible_from` follows from. */
  item_revision?: number;
  revision: number;
}

/** A request to look at a grading again. */
interface ReviewState {
  review_id: number;
  /** Null for the whole submission. */
  question_id: number | null;
  revision: number;
}

export interface UserState {
  user_id: number;
  first_name: string;
  last_name: string;
  email: string | null;
  /** Undefined in events published before this field existed. */
  mobile?: string | null;
  role: string;
  is_blocked: boolean;
  revision: number;
}

export interface CourseState {
  id: number;
  title: string;
  description: string | null;
  created_at: string;
  revision: number;
}

export interface ClassState {
  id: number;
  course_id: number;
  title: string;
  created_at: string;
  revision: number;
}

/** A quiz that was created, changed or deleted. Events of earlier versions have only these fields. */
export type QuizState = Pick<ItemState, 'id' | 'course_id' | 'title' | 'revision'> & Partial<ItemState>;

export interface EnrollmentState {
  course_id: number;
  user_id: number;
  paid: boolean;
  revision: number;
}

/** An instructor of a course, assigned or removed. */
export interface InstructorState {
  course_id: number;
  user_id: number;
  /** Absent from removals, and from events of the previous version, whose instructors are teachers. */
  role?: CourseRole;
  revision: number;
}

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
] as const satisfies readonly EventType[];

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

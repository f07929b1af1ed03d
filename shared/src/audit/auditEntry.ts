import { randomUUID } from 'node:crypto';
import type { AuditEntryState } from '../events/catalog.ts';
import { type Actor, requestContext } from '../process/requestContext.ts';

/** Every action in the audit log. Add new ones here and in auth's OpenAPI document. */
export const auditActions = [
  'login.succeeded',
  'login.refused',
  'password.changed',
  'user.created',
  'user.updated',
  'user.deleted',
  'device.registered',
  'device.disabled',
  'device.enabled',
  'device.deleted',
  'course.created',
  'course.updated',
  'course.deleted',
  'class.created',
  'class.updated',
  'class.deleted',
  'enrollment.changed',
  'enrollment.deleted',
  'instructor.assigned',
  'instructor.removed',
  'import.committed',
  'roster.imported',
  'calendar.created',
  'calendar.deleted',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.secret_rotated',
  'webhook.tested',
  'webhook.replayed',
  'assignment.created',
  'assignment.updated',
  'assignment.deleted',
  'homework.graded',
  'homework.ungraded',
  'homework.file_removed',
  'quiz.created',
  'quiz.updated',
  'quiz.deleted',
  'quiz.graded',
  'quiz.ungraded',
  'rubric.created',
  'rubric.updated',
  'rubric.deleted',
  'questions.changed',
  'answer.graded',
  'answer.ungraded',
  'grades.released',
  'grades.withheld',
  'allowance.changed',
  'allowance.removed',
  'accommodation.changed',
  'accommodation.removed',
  'submission.created',
  'lateness.changed',
  'item.unmasked',
  'answer_group.changed',
  'answer_group.removed',
  'pages.changed',
  'review.opened',
  'review.closed',
  'archive.exported',
  'gradebook.exported',
  'submission.exported',
  'audit.exported',
  'person.exported',
  'person.erased',
  'second_factor.enabled',
  'second_factor.disabled',
  'session.reauthenticated',
  'service_account.created',
  'service_account.updated',
  'service_account.deleted',
  'token.created',
  'token.ended',
  'identity.linked',
  'identity.removed',
] as const;

export type AuditAction = (typeof auditActions)[number];

export type AuditObjectType =
  | 'answer'
  | 'user'
  | 'device'
  | 'course'
  | 'class'
  | 'enrollment'
  | 'instructor'
  | 'import'
  | 'webhook'
  | 'assignment'
  | 'assignment_allowance'
  | 'assignment_question'
  | 'homework_answer_group'
  | 'homework_review'
  | 'homework_submission'
  | 'quiz'
  | 'quiz_allowance'
  | 'quiz_answer_group'
  | 'quiz_question'
  | 'quiz_review'
  | 'quiz_submission'
  | 'service_account'
  | 'token';

/** Values before and after, by field, as JSON. */
export type AuditChanges = Record<string, [before: unknown, after: unknown]>;

export interface AuditedAction {
  action: AuditAction;
  /**
   * The audited record. The id of an enrollment or an instructor is `course_id/user_id`, that of an allowance
   * `item_id/student_id`, that of a question `item_id/question_id`, that of an answer `submission_id/question_id`.
   */
  object?: { type: AuditObjectType; id: number | string };
  /** From `changesOf`, which copies only the named properties: never a secret, password or token. */
  changes?: AuditChanges | null;
  /** The account that made the change. Defaults to the principal of the request; null if no user is logged in. */
  actor?: Actor | null;
}

/** Completes an action with the time, and with the actor, address and id of the current request. */
export function createAuditEntry({ action, object, changes, actor }: AuditedAction): AuditEntryState {
  const context = requestContext.getStore();
  const by = actor === undefined ? context?.actor : actor;
  return {
    entry_id: randomUUID(),
    at: new Date().toISOString(),
    actor_id: by?.userId ?? null,
    actor_role: by?.role ?? null,
    session_id: by?.sessionId ?? null,
    address: context?.address || null,
    action,
    object_type: object?.type ?? null,
    object_id: object ? String(object.id) : null,
    changes: changes ?? null,
    request_id: context?.requestId ?? null,
  };
}

import type { EventAuditTrail } from '../../audit/auditTrail.ts';
import { type CloudEvent, createEvent } from '../../events/cloudEvent.ts';
import type { GradedKind } from '../../grading/gradedKind.ts';
import type { Review } from './review.ts';

interface Dependencies {
  kind: Pick<GradedKind, 'service'>;
  audit: EventAuditTrail;
}

/** The event of a review that was opened or closed, and its entry in the audit log, which withholds the texts. */
export function reviewEvents({ kind, audit }: Dependencies, review: Review): CloudEvent[] {
  const { id, submissionId, questionId, state } = review;
  const audited = audit.eventOf({
    action: state === 'open' ? 'review.opened' : 'review.closed',
    object: { type: `${kind.service}_review`, id },
    changes:
      state === 'open'
        ? { submission_id: [null, submissionId], question_id: [null, questionId], state: [null, state] }
        : { state: ['open', state] },
  });
  return [stateEvent(kind.service, review), audited];
}

function stateEvent(
  service: GradedKind['service'],
  { id, submissionId, itemId, courseId, studentId, questionId, state, revision }: Review,
): CloudEvent {
  const subject = `reviews/${id}`;
  const happened = state === 'open' ? 'opened' : 'closed';
  const submission = { submission_id: submissionId, course_id: courseId, student_id: studentId };
  const data = { ...submission, review_id: id, question_id: questionId, revision };
  return service === 'quiz'
    ? createEvent(service, `quiz.review.${happened}.v1`, subject, { ...data, quiz_id: itemId })
    : createEvent(service, `homework.review.${happened}.v1`, subject, { ...data, class_id: itemId });
}

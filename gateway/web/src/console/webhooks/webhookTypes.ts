import type { components, paths } from '../../../apiTypes/schema.ts';

type Schemas = components['schemas'];

export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['WebhookDelivery'];
export type EventType = Schemas['WebhookEventType'];
export type WebhookFields =
  paths['/api/v3/admin/webhooks']['post']['requestBody']['content']['application/json'];

/** The event types that webhooks offer: the API name and the English name. */
export const eventTypes: readonly (readonly [EventType, string])[] = [
  ['homework.submission.submitted.v1', 'Homework was handed in'],
  ['homework.submission.graded.v1', 'Homework was graded'],
  ['homework.submission.ungraded.v1', 'A grading of homework was undone'],
  ['quiz.submission.submitted.v1', 'An answer sheet was handed in'],
  ['quiz.submission.graded.v1', 'An answer sheet was graded'],
  ['quiz.submission.ungraded.v1', 'A grading of an answer sheet was undone'],
  ['user.changed.v1', 'An account was created or changed'],
  ['user.deleted.v1', 'An account was deleted'],
  ['course.changed.v1', 'A course was created or changed'],
  ['course.deleted.v1', 'A course was deleted'],
  ['class.changed.v1', 'A class was created or changed'],
  ['class.deleted.v1', 'A class was deleted'],
  ['enrollment.changed.v1', 'A student was enrolled, or has paid'],
  ['enrollment.deleted.v1', 'A student has left a course'],
  ['course.instructor.assigned.v1', 'An instructor was assigned'],
  ['course.instructor.removed.v1', 'An instructor was removed'],
];

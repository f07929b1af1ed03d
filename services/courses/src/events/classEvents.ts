import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Class } from '../domain/class.ts';

export const classChanged = (changed: Class): CloudEvent => classEvent('class.changed.v1', changed);

export const classDeleted = (deleted: Class): CloudEvent => classEvent('class.deleted.v1', deleted);

function classEvent(type: 'class.changed.v1' | 'class.deleted.v1', of: Class): CloudEvent {
  const { id, courseId, title, createdAt, revision } = of;
  const data = { id, course_id: courseId, title, created_at: createdAt.toISOString(), revision };
  return createEvent('courses', type, `classes/${id}`, data);
}

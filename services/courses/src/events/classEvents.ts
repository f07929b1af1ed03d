import type { ClassState } from '@gradeway/shared/events/catalog';
import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Class } from '../domain/class.ts';

export const classChanged = (changed: Class): CloudEvent =>
  createEvent('courses', 'class.changed.v1', `classes/${changed.id}`, classState(changed));

export const classDeleted = (deleted: Class): CloudEvent =>
  createEvent('courses', 'class.deleted.v1', `classes/${deleted.id}`, classState(deleted));

const classState = ({ id, courseId, title, createdAt, revision }: Class): ClassState => ({
  id,
  course_id: courseId,
  title,
  created_at: createdAt.toISOString(),
  revision,
});

import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Class } from '../domain/class.ts';
import { classState } from './classState.ts';

export const classDeleted = (deleted: Class): CloudEvent =>
  createEvent('courses', 'class.deleted.v1', `classes/${deleted.id}`, classState(deleted));

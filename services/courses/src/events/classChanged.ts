import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Class } from '../domain/class.ts';
import { classState } from './classState.ts';

export const classChanged = (changed: Class): CloudEvent =>
  createEvent('courses', 'class.changed.v1', `classes/${changed.id}`, classState(changed));

import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Enrollment } from '../domain/enrollment.ts';
import { enrollmentState, enrollmentSubject } from './enrollmentState.ts';

export const enrollmentChanged = (enrollment: Enrollment): CloudEvent =>
  createEvent('courses', 'enrollment.changed.v1', enrollmentSubject(enrollment), enrollmentState(enrollment));

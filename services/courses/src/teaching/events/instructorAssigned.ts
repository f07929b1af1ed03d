import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Instructor } from '../domain/instructor.ts';
import { instructorState, instructorSubject } from './instructorState.ts';

export const instructorAssigned = (instructor: Instructor): CloudEvent =>
  createEvent(
    'courses',
    'course.instructor.assigned.v1',
    instructorSubject(instructor),
    instructorState(instructor),
  );

import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Instructor } from '../domain/instructor.ts';
import { instructorState, instructorSubject } from './instructorState.ts';

/** The instructor grades the course no longer, so that claims of its submissions end. */
export const instructorRemoved = (instructor: Instructor): CloudEvent =>
  createEvent(
    'courses',
    'course.instructor.removed.v1',
    instructorSubject(instructor),
    instructorState(instructor),
  );

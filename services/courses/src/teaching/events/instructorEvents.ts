import type { InstructorState } from '@gradeway/shared/events/catalog';
import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Instructor } from '../domain/instructor.ts';

/** Published for a new assignment, and for a change of its role. */
export const instructorAssigned = (assigned: Instructor): CloudEvent =>
  createEvent('courses', 'course.instructor.assigned.v1', subjectOf(assigned), {
    ...instructorState(assigned),
    role: assigned.role,
  });

/** Homework and quiz end the instructor's claims of submissions in the course. */
export const instructorRemoved = (removed: Instructor): CloudEvent =>
  createEvent('courses', 'course.instructor.removed.v1', subjectOf(removed), instructorState(removed));

const subjectOf = ({ courseId, userId }: Instructor): string => `courses/${courseId}/instructors/${userId}`;

const instructorState = ({ courseId, userId, revision }: Instructor): InstructorState => ({
  course_id: courseId,
  user_id: userId,
  revision,
});

import type { InstructorState } from '@gradeway/shared/events/catalog';
import type { Instructor } from '../domain/instructor.ts';

/** An instructor of a course as its events carry it. */
export const instructorState = ({ courseId, userId, revision }: Instructor): InstructorState => ({
  course_id: courseId,
  user_id: userId,
  revision,
});

/** The subject of its events. */
export const instructorSubject = ({ courseId, userId }: Instructor): string =>
  `courses/${courseId}/instructors/${userId}`;

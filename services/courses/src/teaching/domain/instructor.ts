import type { CourseRole } from '@gradeway/shared/teaching/teachingClient';

/** An instructor of a course. A removed one is kept, so that the revision never decreases. */
export interface Instructor {
  courseId: number;
  userId: number;
  role: CourseRole;
  /** Increments with each assignment, change of the role, and removal. */
  revision: number;
}

/** An account and the revision of one of its states. */
export interface AccountRevision {
  userId: number;
  revision: number;
}

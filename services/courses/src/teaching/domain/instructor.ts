/** The instructor of a course. The record remains after the removal, so that its revision never decreases. */
export interface Instructor {
  courseId: number;
  userId: number;
  /** Increments with each assignment and removal. */
  revision: number;
}

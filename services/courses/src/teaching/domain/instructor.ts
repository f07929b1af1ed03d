/** An instructor of a course. A removed one is kept, so that the revision never decreases. */
export interface Instructor {
  courseId: number;
  userId: number;
  /** Increments with each assignment and removal. */
  revision: number;
}

/** An account and the revision of one of its states. */
export interface AccountRevision {
  userId: number;
  revision: number;
}

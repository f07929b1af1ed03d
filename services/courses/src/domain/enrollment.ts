/** A user's enrollment in a course. An ended one is kept, so that its revision never decreases. */
export interface Enrollment {
  courseId: number;
  userId: number;
  isEnrolled: boolean;
  paid: boolean;
  /** Increments with each change, including the end of the enrollment and a re-enrollment. */
  revision: number;
}

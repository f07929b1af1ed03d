/** The enrollment of a user in a course. It remains after its end, so that its revision never decreases. */
export interface Enrollment {
  courseId: number;
  userId: number;
  isEnrolled: boolean;
  paid: boolean;
  /** Increments with each change, including an end and a new enrollment. */
  revision: number;
}

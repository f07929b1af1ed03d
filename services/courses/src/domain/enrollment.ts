/** Who is enrolled in which course. One that ended is kept, so that its revision goes on growing. */
export interface Enrollment {
  courseId: number;
  userId: number;
  isEnrolled: boolean;
  paid: boolean;
  /** Grows with each change, also over an end and a new enrollment. */
  revision: number;
}

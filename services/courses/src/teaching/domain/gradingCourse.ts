/** A course in the list of a grader. */
export interface GradingCourse {
  id: number;
  title: string;
  /** Paid enrollments. */
  students: number;
}

/** A course in a grader's list. */
export interface GradingCourse {
  id: number;
  title: string;
  /** Paid enrollments. */
  students: number;
}

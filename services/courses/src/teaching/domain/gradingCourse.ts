import type { CourseRole } from '@gradeway/shared/teaching/teachingClient';

/** A course in a grader's list. */
export interface GradingCourse {
  id: number;
  title: string;
  /** The role of the grader in the course; teacher for an administrator. */
  role: CourseRole;
  /** Paid enrollments. */
  students: number;
}

/** A class as the projection stores it. `revision` grows with each change in courses. */
export interface ClassProjection {
  id: number;
  courseId: number;
  title: string;
  createdAt: Date;
  isDeleted: boolean;
  revision: number;
}

/** A course as the projection stores it. */
export interface CourseProjection {
  id: number;
  title: string;
  isDeleted: boolean;
  revision: number;
}

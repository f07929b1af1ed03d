/** What is kept here of a class of courses; `revision` grows with each change of it. */
export interface ProjectedClass {
  id: number;
  courseId: number;
  title: string;
  createdAt: Date;
  isDeleted: boolean;
  revision: number;
}

/** The same of a course. */
export interface ProjectedCourse {
  id: number;
  title: string;
  isDeleted: boolean;
  revision: number;
}

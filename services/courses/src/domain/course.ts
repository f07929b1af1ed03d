export interface Course {
  id: number;
  title: string;
  description: string | null;
  createdAt: Date;
  /** Grows with each change. */
  revision: number;
}

/** What an administrator may set of a course. */
export type CourseProperties = Pick<Course, 'title' | 'description'>;

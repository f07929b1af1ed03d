export interface Course {
  id: number;
  title: string;
  description: string | null;
  createdAt: Date;
  /** Increments with each change. */
  revision: number;
}

/** The properties that an administrator sets. */
export type CourseProperties = Pick<Course, 'title' | 'description'>;

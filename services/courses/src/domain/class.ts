/** A class of a course, which can have an assignment. It outlives its course. */
export interface Class {
  id: number;
  courseId: number;
  title: string;
  createdAt: Date;
  /** Increments with each change. */
  revision: number;
}

/** The properties that an administrator sets. */
export type ClassProperties = Pick<Class, 'title'>;

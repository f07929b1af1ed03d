/** A class of a course: what carries an assignment. It outlives its course. */
export interface Class {
  id: number;
  courseId: number;
  title: string;
  createdAt: Date;
  /** Grows with each change. */
  revision: number;
}

/** What an administrator may set of a class. */
export type ClassProperties = Pick<Class, 'title'>;

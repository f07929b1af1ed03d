import { notFound } from '@gradeway/shared/errors/appError';

/** A class that carries a PDF homework assignment. Its id is the class's id. */
export interface Homework {
  id: number;
  title: string;
  courseId: number;
  /** Null when the course was deleted. */
  courseTitle: string | null;
  deadline: Date | null;
  description: string | null;
  fileId: number | null;
  /** When the class was made. */
  createdAt: Date;
}

/** What an administrator may set of an assignment. */
export interface AssignmentProperties {
  deadline: Date | null;
  description: string | null;
}

/** 404 for what the homework endpoints do not know: a class, its assignment, a submission, a file of one (D36). */
export const homeworkNotFound = () => notFound('PDF Homework not found');

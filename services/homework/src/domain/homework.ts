import { notFound } from '@gradeway/shared/errors/appError';

/** A class with a PDF homework assignment. Its id is the id of the class. */
export interface Homework {
  id: number;
  title: string;
  courseId: number;
  /** Null when the course was deleted. */
  courseTitle: string | null;
  deadline: Date | null;
  description: string | null;
  fileId: number | null;
  /** When the class was created. */
  createdAt: Date;
}

/** A homework, with the stored state of a student who uploads files. */
export interface HomeworkOfStudent extends Homework {
  /** Whether the projection of users has the student. */
  isStudentKnown: boolean;
}

/** The properties of an assignment that an administrator sets. */
export interface AssignmentProperties {
  deadline: Date | null;
  description: string | null;
}

/** 404 of the homework endpoints for an unknown class, assignment, submission or file (D36). */
export const homeworkNotFound = () => notFound('PDF Homework not found');

import { notFound } from '@gradeway/shared/errors/appError';
import type { ItemSettings } from '@gradeway/shared/items/item';
import type { AllowedTimes } from '@gradeway/shared/items/ownTimes';

/** A class with a PDF homework assignment. Its id is the id of the class, its closing time the deadline. */
export interface Homework extends ItemSettings {
  id: number;
  title: string;
  courseId: number;
  /** Null when the course was deleted. */
  courseTitle: string | null;
  description: string | null;
  fileId: number | null;
  /** When the class was created. */
  createdAt: Date;
  /** When the assignment was created. */
  assignedAt: Date;
  /** Incremented by each published change of the assignment. */
  revision: number;
}

/** A homework without what only teachers and students see. */
export type AssignedClass = Omit<
  Homework,
  'assignedAt' | 'revision' | Exclude<keyof ItemSettings, 'closesAt'>
>;

/** A homework, with what a teacher allows a student for it. */
export interface OwnHomework extends Homework, AllowedTimes {}

/** A homework, with the stored state of a student who uploads files. */
export interface HomeworkOfStudent extends OwnHomework {
  /** Whether the projection of users has the student. */
  isStudentKnown: boolean;
}

/** The properties of an assignment that administrators and teachers set. */
export interface AssignmentProperties extends Omit<ItemSettings, 'releasedAt'> {
  description: string | null;
}

/** 404 of the homework endpoints for an unknown class, assignment, submission or file (D36). */
export const homeworkNotFound = () => notFound('PDF Homework not found');

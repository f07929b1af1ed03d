import { notFound } from '@gradeway/shared/errors/appError';
import type { ItemSettings } from '@gradeway/shared/items/item';
import type { PublishedItem } from '@gradeway/shared/items/itemEvents';
import type { ManagedItem } from '@gradeway/shared/items/managedItem';
import type { AllowedTimes } from '@gradeway/shared/items/ownTimes';
import type { WithQuestions } from '@gradeway/shared/questions/listedQuestions';

/** A class with a PDF homework assignment. Its id is the id of the class, and its closing time is the deadline. */
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
  /** Incremented by each published change to the assignment. */
  revision: number;
}

/** Homework without the properties that only teachers or only students see. */
export type AssignedClass = Omit<
  Homework,
  'assignedAt' | 'revision' | Exclude<keyof ItemSettings, 'closesAt'>
>;

/** Homework, with the allowance of a student for it. */
interface OwnHomework extends Homework, AllowedTimes {}

/** Homework in a student's list. */
export interface ListedHomework extends OwnHomework, WithQuestions {}

/** Homework with the stored state of the student who is uploading files. */
export interface HomeworkOfStudent extends OwnHomework {
  /** Whether the projection of users contains the student. */
  isStudentKnown: boolean;
}

/** The properties of an assignment that administrators and teachers set. */
export interface AssignmentProperties extends Omit<ItemSettings, 'releasedAt'> {
  description: string | null;
}

/** An assignment as it is stored. */
export interface StoredAssignment
  extends AssignmentProperties,
    Pick<Homework, 'releasedAt' | 'assignedAt' | 'revision' | 'fileId'> {}

/** The class of an assignment. */
export type ClassOfAssignment = Pick<Homework, 'id' | 'courseId' | 'title'>;

/** An assignment as its teachers manage it. */
export const managedHomework = (of: ClassOfAssignment, assignment: StoredAssignment): ManagedItem => ({
  ...{ ...of, ...assignment, totalGrade: 10 },
  ...{ durationMinutes: null, questionsCount: null },
});

/** An assignment as events describe it. */
export const publishedHomework = (
  { id, courseId, title }: ClassOfAssignment,
  assignment: StoredAssignment,
  isDeleted = false,
): PublishedItem => ({
  ...{ ...assignment, id, courseId, title, isDeleted },
  ...{ totalGrade: 10, createdAt: assignment.assignedAt },
});

/** The 404 of the homework endpoints for an unknown class, assignment, submission or file (D36). */
export const homeworkNotFound = () => notFound('PDF Homework not found');

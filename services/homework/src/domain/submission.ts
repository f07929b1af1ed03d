import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';
import type { WorkState } from '@gradeway/shared/items/submittedWork';

/** The files that a student uploads for a class. */
export interface Upload {
  classId: number;
  studentId: number;
  receivedAt: Date;
  files: ReceivedFile[];
}

/** The stored properties of an upload, without its files. */
export interface StoredUpload extends Omit<Upload, 'files'> {
  /** The staff member who handed in for the student; null if the student did. */
  submittedBy: number | null;
}

/** A student's submission for a class. It is reviewed once it has a rating. */
export interface Submission {
  id: number;
  classId: number;
  studentId: number;
  /** When the request with the current files was received. */
  submittedAt: Date;
  rating: number | null;
  comment: string | null;
  gradedBy: number | null;
  gradedAt: Date | null;
  revision: number;
}

/** A submission with the state of its current files. */
export interface SubmittedFiles extends Submission, WorkState {}

export const isReviewed = ({ rating }: Pick<Submission, 'rating'>): boolean => rating !== null;

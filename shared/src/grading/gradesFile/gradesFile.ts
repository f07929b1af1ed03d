import type { LineError } from '../../csv/tableFile.ts';

/** A line of a file that gives a grade, a comment, or both. */
export interface GradesLine {
  line: number;
  /** Undefined if the file does not contain it. */
  studentId: number | undefined;
  /** In lower case; empty if the file does not contain it. */
  email: string;
  /** The grade as it was entered, or a message; undefined for an empty cell. */
  grade: number | { message: string } | undefined;
  /** Empty if the file does not contain it. */
  comment: string;
}

/** A parsed file of grades. */
export interface GradesFile {
  lines: GradesLine[];
  /** Whether its grades are those of the gradebook, from which the penalty for late work has been deducted. */
  isFinal: boolean;
  errors: LineError[];
}

/** The change of one submission. */
export interface FileChange {
  submissionId: number;
  /** The version of the submission that the file was compared with (GradableSubmission). */
  version: string;
  /** Null if only the comment changes. */
  grade: number | null;
  totalGrade: number | null;
  /** Undefined if the comment stays. */
  comment?: string;
}

/** What a file changes. */
export interface GradesPlan {
  changes: FileChange[];
  unchanged: number;
  /** By line. */
  errors: LineError[];
}

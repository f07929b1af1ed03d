import type { LateRule } from '@gradeway/shared/items/item';

export type Kind = 'homework' | 'quiz';

/** A quiz, or the assignment of a class, as its service last published it. Times are RFC 3339. */
export interface GradebookItem {
  kind: Kind;
  /** The quiz id, or the class id of the assignment. */
  itemId: number;
  courseId: number;
  title: string;
  totalGrade: number | null;
  createdAt: string;
  published: boolean;
  /** When students first see an assignment. */
  opensAt: string | null;
  closesAt: string | null;
  late: LateRule | null;
  /** The time from which students see grades; null while they are held back. */
  releasedAt: string | null;
  anonymous: boolean;
  isDeleted: boolean;
  revision: number;
}

export interface GradebookSubmission {
  kind: Kind;
  submissionId: number;
  courseId: number;
  studentId: number;
  itemId: number;
  /** Null in events of earlier versions. */
  submittedAt: string | null;
  isLateWaived: boolean;
  stateRevision: number;
}

/** A removed allowance has no closing time and does not excuse. */
export interface GradebookAllowance {
  kind: Kind;
  itemId: number;
  studentId: number;
  closesAt: string | null;
  excused: boolean;
  revision: number;
}

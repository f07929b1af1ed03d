import type { LateRule } from '../items/item.ts';

/** A quiz, or the assignment of a class by the id of the class, as the gradebook and the calendar need it. */
export interface ItemState {
  id: number;
  course_id: number;
  title: string;
  total_grade: number | null;
  created_at: string;
  published: boolean;
  opens_at: string | null;
  closes_at: string | null;
  late: LateRule | null;
  /** The time from which students see grades; null while they are held back. */
  released_at: string | null;
  anonymous: boolean;
  is_deleted: boolean;
  revision: number;
}

/** An item that became visible to students. */
export interface PublishedItem {
  item_id: number;
  course_id: number;
  title: string;
  opens_at: string | null;
  closes_at: string | null;
}

/** An item whose grades were released; `released_at` is null when they were withheld again. */
export interface ReleasedGrades {
  item_id: number;
  course_id: number;
  released_at: string | null;
}

/** The allowance of one student for an item. A removed allowance grants nothing. */
export interface AllowanceState {
  item_id: number;
  course_id: number;
  student_id: number;
  closes_at: string | null;
  extra_minutes: number;
  excused: boolean;
  is_removed: boolean;
  revision: number;
}

/** When the work of a submission was received, and whether it can be late. */
export interface SubmissionTimes {
  submitted_at: string;
  /** Whether a teacher has waived the penalty, or handed in for the student. */
  late_waived: boolean;
  /** Increases with each change to these properties. */
  state_revision: number;
}

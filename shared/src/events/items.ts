import type { z } from 'zod';
import type { LateRule } from '../items/item.ts';
import type * as schemas from './publicEvents.ts';

export type SubmissionTimes = z.infer<typeof schemas.submissionTimes>;

/**
 * The data of a quiz, or of the assignment of a class (with the id of the class), that the gradebook and the calendar
 * need.
 */
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

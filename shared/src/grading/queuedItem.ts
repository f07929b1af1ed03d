import type { ItemSettings } from '../items/item.ts';
import type { QueueOrder } from './queueOrder.ts';

/** An item named by a path. */
export interface GradedItem {
  id: number;
  courseId: number;
  gradersEditRubric: boolean;
  order: QueueOrder;
  isAnonymous: boolean;
  hasQuestions: boolean;
}

/** An item in the list of items to grade. */
export interface QueuedItem
  extends Pick<ItemSettings, 'published' | 'release' | 'releasedAt' | 'opensAt' | 'closesAt'> {
  id: number;
  title: string;
  courseId: number;
  totalGrade: number | null;
  /** When the quiz or assignment was created. */
  createdAt: Date;
  submissions: number;
  graded: number;
  claimed: number;
  hasRubric: boolean;
}

/** An item with its description for graders, which includes the questions or exercises. */
export interface DescribedItem extends QueuedItem, ItemSettings {
  /** The total grade that the item itself sets; a rubric's total takes precedence. */
  ownTotal: number | null;
  durationMinutes: number | null;
  questionsCount: number | null;
  description: string | null;
  fileId: number | null;
}

export type ItemState = 'draft' | 'open' | 'closed';

import { createHash } from 'node:crypto';
import type { ItemSettings } from './item.ts';

/** An item with all settings that its teachers can change. Properties that a kind of item lacks are null. */
export interface ManagedItem extends Omit<ItemSettings, 'releasedAt'> {
  id: number;
  courseId: number;
  title: string;
  durationMinutes: number | null;
  questionsCount: number | null;
  totalGrade: number | null;
  description: string | null;
  fileId: number | null;
}

/** The entity tag of an item, which covers its settings and its file. */
export function itemTag(item: ManagedItem): string {
  const { opensAt, closesAt, published, release, releaseAt, late, submissionOrder } = item;
  const covered = [
    ...[item.id, item.courseId, item.title, item.durationMinutes, item.questionsCount, item.totalGrade],
    ...[item.description, item.fileId, opensAt, closesAt, published, release, releaseAt, submissionOrder],
    ...[item.anonymous, item.gradersEditRubric],
    item.reviews && [item.reviews.until, item.reviews.perSubmission],
    late && [late.until, late.graceMinutes, late.penaltyPercent, late.per, late.floorPercent],
  ];
  return `"item-${createHash('sha256').update(JSON.stringify(covered)).digest('base64url').slice(0, 22)}"`;
}

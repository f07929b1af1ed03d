import type { Transaction } from 'sequelize';
import type { CountedRubric, RubricRepository } from '../grading/rubricRepository.ts';
import type { ItemSettings } from './item.ts';

/** The settings of a copy: a draft without times. */
export const settingsOfCopy = ({
  release,
  submissionOrder,
  anonymous,
  gradersEditRubric,
}: ItemSettings): Omit<ItemSettings, 'releasedAt'> => ({
  published: false,
  release,
  releaseAt: null,
  opensAt: null,
  closesAt: null,
  late: null,
  submissionOrder,
  anonymous,
  gradersEditRubric,
  reviews: null,
});

/**
 * Copies a rubric to another item. An assignment that was removed and is now replaced may have a rubric, by which submissions
 * were graded. It stays.
 */
export async function copyRubric(
  rubrics: RubricRepository,
  rubric: CountedRubric | undefined,
  itemId: number,
  transaction: Transaction,
): Promise<void> {
  if (!rubric || (await rubrics.lock(itemId, transaction))) return;
  const items = rubric.items.map((item) => ({ ...item, id: null }));
  await rubrics.save(itemId, { ...rubric, items }, transaction);
}

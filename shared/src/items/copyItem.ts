import type { Transaction } from 'sequelize';
import type { AuditObjectType } from '../audit/auditEntry.ts';
import type { EventAuditTrail } from '../audit/auditTrail.ts';
import { auditRubric } from '../grading/auditRubric.ts';
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

interface CopyRubricDependencies {
  rubrics: RubricRepository;
  audit: EventAuditTrail;
}

/**
 * Copies a rubric to another item. A removed assignment that is now replaced may still have a rubric with which
 * submissions were graded. It stays.
 */
export async function copyRubric(
  { rubrics, audit }: CopyRubricDependencies,
  rubric: CountedRubric | undefined,
  item: { type: AuditObjectType; id: number },
  transaction: Transaction,
): Promise<void> {
  if (!rubric || (await rubrics.lock(item.id, transaction))) return;
  const items = rubric.items.map((each) => ({ ...each, id: null }));
  const revision = await rubrics.save(item.id, { ...rubric, items }, transaction);
  const after = { ...rubric, revision };
  await auditRubric(audit, item, { before: undefined, after, regraded: 0 }, transaction);
}

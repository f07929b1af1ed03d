import type { Transaction } from 'sequelize';
import type { AuditedAction } from '../audit/auditEntry.ts';
import type { EventAuditTrail } from '../audit/auditTrail.ts';
import { changesOf } from '../audit/changesOf.ts';
import { fromPoints } from './points.ts';
import type { Rubric } from './rubric.ts';

type Summarized = Pick<Rubric, 'revision' | 'mode' | 'maxPoints' | 'minPoints'> & { items: unknown[] };

interface RubricChange {
  before: Summarized | undefined;
  after: Summarized | null;
  /** How many submissions were regraded. */
  regraded: number;
}

/** Records that the rubric of an item was created, changed or deleted. */
export async function auditRubric(
  audit: EventAuditTrail,
  item: NonNullable<AuditedAction['object']>,
  { before, after, regraded }: RubricChange,
  transaction: Transaction,
): Promise<void> {
  const action = !after ? 'rubric.deleted' : before ? 'rubric.updated' : 'rubric.created';
  const changes = changesOf(before ? summaryOf(before, 0) : null, after && summaryOf(after, regraded), [
    'revision',
    'mode',
    'maxPoints',
    'minPoints',
    'items',
    'regraded',
  ]);
  await audit.record({ action, object: item, changes }, transaction);
}

const summaryOf = ({ revision, mode, maxPoints, minPoints, items }: Summarized, regraded: number) => ({
  revision,
  mode,
  maxPoints: fromPoints(maxPoints),
  minPoints: fromPoints(minPoints),
  items: items.length,
  regraded,
});

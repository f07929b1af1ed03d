import type { Sequelize } from 'sequelize';
import type { EventAuditTrail } from '../audit/auditTrail.ts';
import { inTransaction } from '../database/connection.ts';
import { query } from '../database/query.ts';
import type { Outbox } from '../events/outbox.ts';
import type { GradedKind, TimedSubmission } from '../grading/gradedKind.ts';
import type { GradingTables } from '../grading/gradingTables.ts';
import { timedSubmissionColumns } from './timedSubmission.ts';

interface Dependencies {
  sequelize: Sequelize;
  kind: Pick<GradedKind, 'tables' | 'audit' | 'latenessEvent'>;
  outbox: Outbox;
  audit: EventAuditTrail;
}

const change = (tables: GradingTables) => `
  UPDATE submissions s SET late_waived = $2, state_revision = s.state_revision + 1
  WHERE s.id = $1 AND s.late_waived <> $2
  RETURNING ${timedSubmissionColumns(tables)}`;

/** Waives the penalty for late work of a submission, or restores it. The waiver also applies to later uploads. */
export async function waiveLateness(
  { sequelize, kind, outbox, audit }: Dependencies,
  submissionId: number,
  isWaived: boolean,
): Promise<void> {
  await inTransaction(sequelize, async (transaction) => {
    const sql = change(kind.tables);
    const values = [submissionId, isWaived];
    const [changed] = await query<TimedSubmission>(sequelize, { sql, values, transaction });
    if (!changed) return;
    const object = { type: kind.audit.submission, id: submissionId };
    const changes = { late_waived: [!isWaived, isWaived] satisfies [boolean, boolean] };
    const audited = audit.eventOf({ action: 'lateness.changed', object, changes });
    await outbox.add([kind.latenessEvent(changed), audited], transaction);
  });
}

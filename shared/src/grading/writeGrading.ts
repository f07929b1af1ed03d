import type { Sequelize } from 'sequelize';
import { inTransaction } from '../database/connection.ts';
import type { IdempotencyKey, IdempotencyStore } from '../database/idempotencyStore.ts';
import type { CloudEvent } from '../events/cloudEvent.ts';
import type { Outbox } from '../events/outbox.ts';
import type { AnswerWriter } from '../questions/answerWriter.ts';
import type { GradeWriter, GradingToWrite } from './gradeWriter.ts';

export interface WriteDependencies {
  sequelize: Sequelize;
  writer: GradeWriter;
  answerWriter: AnswerWriter;
  outbox: Outbox;
  idempotency: IdempotencyStore;
}

/**
 * Writes a grading with its events in one statement (decision 45). If there is a result to record, it runs in a
 * transaction: if the key is taken, the other changes are rolled back. It also runs in a transaction if a grade for the
 * whole submission makes its answers ungraded. Returns false, and nothing is written, if the submission or the rubric
 * has changed since they were read.
 */
export async function writeGrading(
  { sequelize, writer, answerWriter, outbox, idempotency }: WriteDependencies,
  grading: GradingToWrite,
  events: CloudEvent[],
  recorded: { key: IdempotencyKey; result: unknown } | undefined,
): Promise<boolean> {
  const { before, after, way } = grading;
  const replacesAnswers = before.hasAnswers && way === 'specification';
  if (!recorded && !replacesAnswers) return outbox.addBy(events, (rows) => writer.writeAtOnce(grading, rows));
  return inTransaction(sequelize, async (transaction) => {
    if (!(await writer.write(grading, transaction))) return false;
    if (replacesAnswers && after.gradedBy !== null) {
      const by = { userId: after.gradedBy, at: after.gradedAt ?? new Date() };
      await answerWriter.reset(before.id, by, false, transaction);
    }
    await outbox.add(events, transaction);
    if (recorded) await idempotency.recordResult(recorded.key, recorded.result, transaction);
    return true;
  });
}

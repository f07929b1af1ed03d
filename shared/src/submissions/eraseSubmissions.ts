import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../database/query.ts';
import type { GradingTables } from '../grading/gradingTables.ts';
import { eraseAllowances } from '../items/personalAllowances.ts';
import type { ErasedPerson } from './personalSubmissions.ts';

interface Tables extends Pick<GradingTables, 'grade'> {
  /** Statements that remove the files from the submissions $1. The first returns them as `fileId`. */
  detachFiles: readonly [string, ...string[]];
}

const lock = 'SELECT id FROM submissions WHERE student_id = $1 ORDER BY id FOR UPDATE';
// Changes the version of each row, so that a grading that has read the files does not take effect (decision 45).
const clearComments = 'UPDATE submissions SET comment = NULL WHERE id = ANY($1)';
const clearEarlierComments = `
  UPDATE gradings SET comment = NULL WHERE submission_id = ANY($1) AND comment IS NOT NULL`;
// The comments on kept grades are deleted, as for whole submissions. A new revision, because a comment is part of the
// state.
const clearAnswers = `
  UPDATE answers SET comment = NULL, pages = '[]', revision = revision + 1
  WHERE submission_id = ANY($1) AND (comment IS NOT NULL OR pages <> '[]')`;
const clearEarlierAnswers = `
  UPDATE answer_gradings SET comment = NULL WHERE submission_id = ANY($1) AND comment IS NOT NULL`;
const deleteReviews = 'DELETE FROM reviews WHERE submission_id = ANY($1)';
// Includes the claims of other graders on the person's work. Annotations are deleted with their files.
const deleteClaims = `
  WITH deleted AS (DELETE FROM answer_claims WHERE submission_id = ANY($1) OR user_id = $2)
  DELETE FROM claims WHERE submission_id = ANY($1) OR user_id = $2`;

/** Deletes the submissions and allowances of a student, except for kept grades. Returns the ids of all their files. */
export async function eraseSubmissions(
  sequelize: Sequelize,
  { userId, keepGrades }: ErasedPerson,
  { grade, detachFiles: [detachFiles, ...detachOthers] }: Tables,
  transaction: Transaction,
): Promise<number[]> {
  const isErased = `(s.${grade} IS NULL OR NOT $2)`;
  const run = (sql: string, ...values: unknown[]) => query(sequelize, { sql, values, transaction });
  const submissions = await query<{ id: number }>(sequelize, { sql: lock, values: [userId], transaction });
  const ids = submissions.map(({ id }) => id);
  const files = await query<{ fileId: number }>(sequelize, { sql: detachFiles, values: [ids], transaction });
  for (const detach of detachOthers) await run(detach, ids);
  await run(
    `DELETE FROM gradings g USING submissions s WHERE s.id = g.submission_id AND s.id = ANY($1) AND ${isErased}`,
    ids,
    keepGrades,
  );
  await run(`DELETE FROM submissions s WHERE s.id = ANY($1) AND ${isErased}`, ids, keepGrades);
  await run(clearComments, ids);
  await run(clearEarlierComments, ids);
  await run(clearAnswers, ids);
  await run(clearEarlierAnswers, ids);
  await run(deleteReviews, ids);
  await run(deleteClaims, ids, userId);
  await run(eraseAllowances, userId);
  return files.map(({ fileId }) => fileId);
}

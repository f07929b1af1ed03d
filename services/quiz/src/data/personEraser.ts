import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';

const lock = 'SELECT id FROM submissions WHERE student_id = $1 ORDER BY id FOR UPDATE';
const filesOf = `
  SELECT file_id AS "fileId" FROM submissions WHERE id = ANY($1) AND file_id IS NOT NULL
  UNION SELECT file_id FROM replaced_sheets WHERE submission_id = ANY($1)`;
const deleteReplaced = 'DELETE FROM replaced_sheets WHERE submission_id = ANY($1)';
const detachSheets = `
  UPDATE submissions SET file_id = NULL, recorded_start_at = NULL, flags = '{}' WHERE id = ANY($1)`;
const deleteGradings = `
  DELETE FROM gradings g USING submissions s
  WHERE s.id = g.submission_id AND s.id = ANY($1) AND (s.grade IS NULL OR NOT $2)`;
const deleteSubmissions = 'DELETE FROM submissions WHERE id = ANY($1) AND (grade IS NULL OR NOT $2)';
const forgetComments = 'UPDATE submissions SET comment = NULL WHERE id = ANY($1) AND comment IS NOT NULL';
const forgetEarlierComments = `
  UPDATE gradings SET comment = NULL WHERE submission_id = ANY($1) AND comment IS NOT NULL`;
// Those on the work of the person, and those that the person made. Annotations go with their files.
const deleteClaims = 'DELETE FROM claims WHERE submission_id = ANY($1) OR user_id = $2';
const deleteStarts = 'DELETE FROM quiz_starts WHERE student_id = $1';

/** Deletes the submissions of a student, except for kept grades. Returns the ids of all their files. */
export async function erasePerson(
  sequelize: Sequelize,
  { userId, keepGrades }: { userId: number; keepGrades: boolean },
  transaction: Transaction,
): Promise<number[]> {
  const submissions = await query<{ id: number }>(sequelize, { sql: lock, values: [userId], transaction });
  const ids = submissions.map(({ id }) => id);
  const files = await query<{ fileId: number }>(sequelize, { sql: filesOf, values: [ids], transaction });
  await query(sequelize, { sql: deleteReplaced, values: [ids], transaction });
  await query(sequelize, { sql: detachSheets, values: [ids], transaction });
  await query(sequelize, { sql: deleteGradings, values: [ids, keepGrades], transaction });
  await query(sequelize, { sql: deleteSubmissions, values: [ids, keepGrades], transaction });
  await query(sequelize, { sql: forgetComments, values: [ids], transaction });
  await query(sequelize, { sql: forgetEarlierComments, values: [ids], transaction });
  await query(sequelize, { sql: deleteClaims, values: [ids, userId], transaction });
  await query(sequelize, { sql: deleteStarts, values: [userId], transaction });
  return files.map(({ fileId }) => fileId);
}

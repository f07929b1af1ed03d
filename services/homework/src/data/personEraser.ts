import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';

const lock = 'SELECT id FROM submissions WHERE student_id = $1 ORDER BY id FOR UPDATE';
const deleteFiles =
  'DELETE FROM submission_files WHERE submission_id = ANY($1) RETURNING file_id AS "fileId"';
const deleteGradings = `
  DELETE FROM gradings g USING submissions s
  WHERE s.id = g.submission_id AND s.id = ANY($1) AND (s.rating IS NULL OR NOT $2)`;
const deleteSubmissions = 'DELETE FROM submissions WHERE id = ANY($1) AND (rating IS NULL OR NOT $2)';
// Each gets another version, so that a grading that has read its files does not take effect (decision 0045).
const forgetComments = 'UPDATE submissions SET comment = NULL WHERE id = ANY($1)';
const forgetEarlierComments = `
  UPDATE gradings SET comment = NULL WHERE submission_id = ANY($1) AND comment IS NOT NULL`;
// Those on the work of the person, and those that the person made. Annotations go with their files.
const deleteClaims = 'DELETE FROM claims WHERE submission_id = ANY($1) OR user_id = $2';

/** Deletes the submissions of a student, except for kept ratings. Returns the ids of all their files. */
export async function erasePerson(
  sequelize: Sequelize,
  { userId, keepGrades }: { userId: number; keepGrades: boolean },
  transaction: Transaction,
): Promise<number[]> {
  const submissions = await query<{ id: number }>(sequelize, { sql: lock, values: [userId], transaction });
  const ids = submissions.map(({ id }) => id);
  const files = await query<{ fileId: number }>(sequelize, { sql: deleteFiles, values: [ids], transaction });
  await query(sequelize, { sql: deleteGradings, values: [ids, keepGrades], transaction });
  await query(sequelize, { sql: deleteSubmissions, values: [ids, keepGrades], transaction });
  await query(sequelize, { sql: forgetComments, values: [ids], transaction });
  await query(sequelize, { sql: forgetEarlierComments, values: [ids], transaction });
  await query(sequelize, { sql: deleteClaims, values: [ids, userId], transaction });
  return files.map(({ fileId }) => fileId);
}

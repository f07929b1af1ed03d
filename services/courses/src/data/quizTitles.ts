import { query } from '@gradeway/shared/database/query';
import type { QuizState } from '@gradeway/shared/events/catalog';
import type { Sequelize, Transaction } from 'sequelize';

// An older revision never overwrites a newer one. The same revision is applied again, to repair a projection.
const upsert = `
  INSERT INTO quiz_titles (quiz_id, title, revision) VALUES ($1, $2, $3)
  ON CONFLICT (quiz_id) DO UPDATE SET title = excluded.title, revision = excluded.revision
  WHERE quiz_titles.revision <= excluded.revision`;

/**
 * Saves the title of a quiz from an event of an earlier version, which contains no other state. Lists show it until
 * they have a newer state (gradebook/data/itemState.ts).
 */
export async function saveQuizTitle(
  sequelize: Sequelize,
  { id, title, revision }: QuizState,
  transaction: Transaction,
): Promise<void> {
  await query(sequelize, { sql: upsert, values: [id, title, revision], transaction });
}

import { query } from '@gradeway/shared/database/query';
import type { QuizState } from '@gradeway/shared/events/catalog';
import type { Sequelize, Transaction } from 'sequelize';

// An older revision never overwrites a newer one. The same revision is applied again, to repair a projection.
const upsert = `
  INSERT INTO quiz_titles (quiz_id, title, revision) VALUES ($1, $2, $3)
  ON CONFLICT (quiz_id) DO UPDATE SET title = excluded.title, revision = excluded.revision
  WHERE quiz_titles.revision <= excluded.revision`;

/** Saves a quiz title for the gradebook. */
export async function saveQuizTitle(
  sequelize: Sequelize,
  { id, title, revision }: QuizState,
  transaction: Transaction,
): Promise<void> {
  await query(sequelize, { sql: upsert, values: [id, title, revision], transaction });
}

/**
 * SQL for the current title of the graded item, or its title at the time of the grading until the current one has
 * arrived. The class must belong to the course, because a grading event is accepted for any id.
 */
export const gradeTitle = `
  coalesce(
    CASE kind
      WHEN 'homework' THEN (
        SELECT k.title FROM classes k WHERE k.id = grades.item_id AND k.course_id = grades.course_id)
      ELSE (SELECT q.title FROM quiz_titles q WHERE q.quiz_id = grades.item_id)
    END,
    title)`;

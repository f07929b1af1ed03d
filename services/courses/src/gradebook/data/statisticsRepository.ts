import { inTransaction } from '@gradeway/shared/database/connection';
import { query } from '@gradeway/shared/database/query';
import type { Sequelize } from 'sequelize';

// Two simultaneous corrections would both add the same difference.
const lock = "SELECT pg_advisory_xact_lock(hashtext('gradebook statistics'))";

/*
 * A transaction that writes grades also changes the statistics, so the difference is zero in any snapshot where both
 * are correct. Adding the difference, rather than writing the count, preserves concurrent changes without a lock on
 * grades.
 */
const correct = `
  WITH counted AS (
    SELECT kind, item_id, count(*) AS graded, sum(grade) AS points
    FROM grades WHERE grade IS NOT NULL GROUP BY kind, item_id),
  differences AS (
    SELECT kind, item_id, coalesce(c.graded, 0) - coalesce(s.graded, 0) AS graded,
      coalesce(c.points, 0) - coalesce(s.points, 0) AS points
    FROM counted c FULL JOIN gradebook_statistics s USING (kind, item_id))
  INSERT INTO gradebook_statistics AS s (kind, item_id, graded, points)
  SELECT kind, item_id, graded, points FROM differences WHERE graded <> 0 OR points <> 0 ORDER BY kind, item_id
  ON CONFLICT (kind, item_id) DO UPDATE SET graded = s.graded + excluded.graded, points = s.points + excluded.points
  RETURNING s.item_id`;

/** The number and the sum of the grades of every item, which triggers of `grades` maintain. */
export class StatisticsRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Recounts the grades of every item. Returns the number of items whose statistics were wrong. */
  correct(): Promise<number> {
    return inTransaction(this.#db, async (transaction) => {
      await query(this.#db, { sql: lock, transaction });
      return (await query(this.#db, { sql: correct, transaction })).length;
    });
  }
}

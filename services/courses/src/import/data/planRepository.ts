import { query } from '@gradeway/shared/database/query';
import type { Sequelize } from 'sequelize';
import type { NewRow } from '../domain/import.ts';
import type { KnownAccount, UserDecision, UserRow } from '../domain/importedUser.ts';
import { planEnrollments, planInstructors, resolveEnrollments } from './planEnrollmentQueries.ts';
import * as queries from './planQueries.ts';

// Keeps each statement within the connection's statement timeout.
const rowsPerStatement = 5_000;

/** Plans an import using the tables of this service. Writes only to `import_rows`. */
export class PlanRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  async insertRows(importId: string, rows: NewRow[]): Promise<void> {
    await this.#run(queries.insertRows, [importId, JSON.stringify(rows)]);
  }

  /** Refreshes the table's statistics: after a large insert, the planner's stale estimates would cost minutes. */
  async analyze(): Promise<void> {
    await this.#run('ANALYZE (SKIP_LOCKED) import_rows', []);
  }

  /** Marks rows about the same record as errors. Each message lists all of their lines. */
  async rejectDuplicates(importId: string): Promise<void> {
    for (const sql of queries.rejectDuplicates) await this.#run(sql, [importId]);
  }

  async planCourses(importId: string, rows: number): Promise<void> {
    await this.#inRanges(queries.planCourses, importId, rows);
  }

  async planClasses(importId: string, rows: number): Promise<void> {
    await this.#inRanges(queries.planClasses, importId, rows);
  }

  /** Returns the rows of users.csv in a range of positions that have no action yet. */
  undecidedUsers(importId: string, first: number, last: number): Promise<(UserRow & { position: number })[]> {
    return query(this.#db, { sql: queries.undecidedUsers, values: [importId, first, last] });
  }

  async decideUsers(importId: string, decisions: (UserDecision & { position: number })[]): Promise<void> {
    if (decisions.length === 0) return;
    const positions = decisions.map(({ position }) => position);
    const range = [Math.min(...positions), Math.max(...positions)];
    await this.#run(queries.decideUsers, [importId, JSON.stringify(decisions), ...range]);
  }

  /** Returns the next sourcedIds that enrollments refer to but users.csv does not list. */
  async unlistedUsers(importId: string, after: string, limit: number): Promise<string[]> {
    const values = [importId, after, limit];
    const rows = await query<{ sourcedId: string }>(this.#db, { sql: queries.unlistedUsers, values });
    return rows.map(({ sourcedId }) => sourcedId);
  }

  async insertKnownAccounts(importId: string, known: KnownAccount[], afterPosition: number): Promise<void> {
    await this.#run(queries.insertKnownAccounts, [importId, JSON.stringify(known), afterPosition]);
  }

  /** Plans the enrollments of students and the assignments of teachers. */
  async planEnrollments(importId: string, rows: number, isPaid: boolean): Promise<void> {
    await this.#inRanges(resolveEnrollments, importId, rows);
    await this.#inRanges(planEnrollments, importId, rows, isPaid);
    await this.#inRanges(planInstructors, importId, rows);
  }

  async #inRanges(sql: string, importId: string, rows: number, ...more: unknown[]): Promise<void> {
    for (let start = 0; start < rows; start += rowsPerStatement)
      await this.#run(sql, [importId, start, start + rowsPerStatement - 1, ...more]);
  }

  async #run(sql: string, values: unknown[]): Promise<void> {
    await query(this.#db, { sql, values });
  }
}

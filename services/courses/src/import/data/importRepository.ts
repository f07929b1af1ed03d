import { createHash } from 'node:crypto';
import { isUniqueViolation } from '@gradeway/shared/database/errors';
import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';
import type { Import, ImportCount, ImportRow, RosterOwner } from '../domain/import.ts';

interface NewImport {
  id: string;
  /** The course of a roster. */
  courseId?: number;
  isPaid: boolean;
  createdBy: number;
  ttlMs: number;
  leaseHolder: string;
}

const columns = `
  id, state, course_id AS "courseId", is_paid AS "isPaid", created_at AS "createdAt", expires_at AS "expiresAt",
  committed_at AS "committedAt", done_rows AS "doneRows", total_rows AS "totalRows", ignored`;

// Long enough for a busy process, short enough for users who wait for a crashed one to be replaced.
const renewedLease = "claimed_until = clock_timestamp() + interval '5 seconds'";

const insert = `
  INSERT INTO imports (id, state, is_paid, created_by, expires_at, claimed_by, claimed_until, course_id)
  VALUES ($1, 'planning', $2, $3, now() + $4 * interval '1 millisecond', $5, now() + interval '5 seconds', $6)
  RETURNING ${columns}`;
const find = `SELECT ${columns} FROM imports WHERE id = $1`;
const findByToken = `
  SELECT ${columns} FROM imports
  WHERE token_hash = $1 AND expires_at > now() AND course_id IS NOT DISTINCT FROM $2::integer
    AND created_by = coalesce($3, created_by)`;
const renewLease = `
  UPDATE imports
  SET ${renewedLease}, done_rows = coalesce($3, done_rows), total_rows = coalesce($4, total_rows)
  WHERE id = $1 AND claimed_by = $2`;
const finishPlan = `
  UPDATE imports SET state = $3, token_hash = $4, ignored = $5, done_rows = $6, total_rows = $6,
    claimed_by = NULL, claimed_until = NULL
  WHERE id = $1 AND state = 'planning' AND claimed_by = $2 RETURNING ${columns}`;
const beginCommit = `
  UPDATE imports SET state = 'committing', claimed_by = $2, ${renewedLease}, done_rows = 0
  WHERE id = $1 AND state = 'planned' RETURNING ${columns}`;
const markCommitted = `
  UPDATE imports SET state = 'committed', committed_at = now()
  WHERE id = $1 AND state = 'committing' AND claimed_by = $2 RETURNING id`;
const markDone = `
  UPDATE imports SET state = 'done', done_rows = total_rows, claimed_by = NULL, claimed_until = NULL
  WHERE id = $1 AND state = 'committed'`;
const abortCommit = `
  UPDATE imports SET state = 'releasing', claimed_by = NULL, claimed_until = NULL
  WHERE id = $1 AND state = 'committing' AND claimed_by = $2`;
const abortExpiredCommits = `
  UPDATE imports SET state = 'releasing', claimed_by = NULL, claimed_until = NULL
  WHERE state = 'committing' AND claimed_until < now()`;
const markReleased = "UPDATE imports SET state = 'planned' WHERE id = $1 AND state = 'releasing'";
// Excludes imports with a valid lease, whose holder is currently completing them in auth.
const unfinished = `
  SELECT ${columns} FROM imports
  WHERE state IN ('releasing', 'committed') AND (claimed_until IS NULL OR claimed_until < now())`;
const expired = `
  SELECT ${columns} FROM imports
  WHERE (state = 'planning' AND claimed_until < now())
    OR (state IN ('planned', 'refused', 'done') AND expires_at < now())
  ORDER BY expires_at LIMIT 10`;

// Planning splits the rows of enrollments.csv into those about students and those about teachers.
const archiveFile = "CASE file WHEN 'instructors' THEN 'enrollments' ELSE file END";
const counts = `
  SELECT ${archiveFile} AS file, action, count(*)::int AS count FROM import_rows
  WHERE import_id = $1 AND file <> 'known' AND action IS NOT NULL GROUP BY 1, action`;
const rowColumns = `
  position, ${archiveFile} AS file, line, sourced_id AS "sourcedId", action, changes, messages`;
const nextRows = `
  SELECT ${rowColumns} FROM import_rows
  WHERE import_id = $1 AND position > $2 AND file <> 'known' ORDER BY position LIMIT $3`;
const badRows = `
  SELECT ${rowColumns} FROM import_rows
  WHERE import_id = $1 AND action = 'error' ORDER BY position LIMIT $2`;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Stores imports with their states and leases, and the rows of their plans. */
export class ImportRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Returns undefined if an import with this id already exists. */
  async create({
    id,
    courseId,
    isPaid,
    createdBy,
    ttlMs,
    leaseHolder,
  }: NewImport): Promise<Import | undefined> {
    try {
      return await this.#selectOne(insert, [id, isPaid, createdBy, ttlMs, leaseHolder, courseId ?? null]);
    } catch (error) {
      if (isUniqueViolation(error, 'imports_pkey')) return undefined;
      throw error;
    }
  }

  find(id: string): Promise<Import | undefined> {
    return this.#selectOne(find, [id]);
  }

  /** Finds an archive, or with an owner a roster, by the token of its dry run. */
  findByToken(token: string, roster?: RosterOwner): Promise<Import | undefined> {
    const values = [hashOf(token), roster?.courseId ?? null, roster?.userId ?? null];
    return this.#selectOne(findByToken, values);
  }

  /** Renews the lease and stores the progress. */
  async renewLease(
    id: string,
    leaseHolder: string,
    progress: { done?: number; total?: number },
  ): Promise<void> {
    await this.#run(renewLease, [id, leaseHolder, progress.done ?? null, progress.total ?? null]);
  }

  /**
   * Finishes the plan. Returns undefined if the lease has expired.
   * @param plan its `token` is null when there are invalid rows
   */
  finishPlan(
    id: string,
    leaseHolder: string,
    plan: { token: string | null; rows: number; ignored: string[] },
  ): Promise<Import | undefined> {
    const state = plan.token === null ? 'refused' : 'planned';
    const hash = plan.token && hashOf(plan.token);
    return this.#selectOne(finishPlan, [id, leaseHolder, state, hash, plan.ignored, plan.rows]);
  }

  /** Returns undefined if the import is no longer `planned`, or if another import is being committed. */
  async beginCommit(id: string, leaseHolder: string): Promise<Import | undefined> {
    try {
      return await this.#selectOne(beginCommit, [id, leaseHolder]);
    } catch (error) {
      if (isUniqueViolation(error, 'imports_one_at_a_time')) return undefined;
      throw error;
    }
  }

  /** Returns false if the lease has expired and the commit was aborted. */
  async markCommitted(id: string, leaseHolder: string, transaction: Transaction): Promise<boolean> {
    const rows = await query(this.#db, { sql: markCommitted, values: [id, leaseHolder], transaction });
    return rows.length === 1;
  }

  async markDone(id: string): Promise<void> {
    await this.#run(markDone, [id]);
  }

  /** Aborts a commit whose transaction was not committed. */
  async abortCommit(id: string, leaseHolder: string): Promise<void> {
    await this.#run(abortCommit, [id, leaseHolder]);
  }

  /** Aborts commits whose lease has expired. */
  async abortExpiredCommits(): Promise<void> {
    await this.#run(abortExpiredCommits, []);
  }

  async markReleased(id: string): Promise<void> {
    await this.#run(markReleased, [id]);
  }

  /** Returns the imports to complete or release in auth. */
  unfinished(): Promise<Import[]> {
    return query<Import>(this.#db, { sql: unfinished });
  }

  /** Returns the imports to delete: abandoned during planning, or expired. */
  expired(): Promise<Import[]> {
    return query<Import>(this.#db, { sql: expired });
  }

  async delete(id: string): Promise<void> {
    await this.#run('DELETE FROM imports WHERE id = $1', [id]);
  }

  counts(id: string): Promise<ImportCount[]> {
    return query<ImportCount>(this.#db, { sql: counts, values: [id] });
  }

  badRows(id: string, limit: number): Promise<ImportRow[]> {
    return query<ImportRow>(this.#db, { sql: badRows, values: [id, limit] });
  }

  /** Yields all rows in the order of the archive's files, in batches of `size`. */
  async *rows(id: string, size: number): AsyncGenerator<ImportRow[]> {
    for (let position = -1; ; ) {
      const rows = await query<ImportRow>(this.#db, { sql: nextRows, values: [id, position, size] });
      if (rows.length > 0) yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < size) return;
      position = last.position;
    }
  }

  async #selectOne(sql: string, values: unknown[]): Promise<Import | undefined> {
    return (await query<Import>(this.#db, { sql, values }))[0];
  }

  async #run(sql: string, values: unknown[]): Promise<void> {
    await query(this.#db, { sql, values });
  }
}

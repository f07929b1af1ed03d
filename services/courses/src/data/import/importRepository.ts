import { createHash } from 'node:crypto';
import { selectRows } from '@gradeway/shared/database/connection';
import { isUniqueViolation } from '@gradeway/shared/database/errors';
import type { Sequelize, Transaction } from 'sequelize';
import type { Import, ImportCount, ImportRow } from '../../domain/import/import.ts';

interface NewImport {
  id: string;
  isPaid: boolean;
  createdBy: number;
  ttlMs: number;
  claimedBy: string;
}

const columns = `
  id, state, is_paid AS "isPaid", created_at AS "createdAt", expires_at AS "expiresAt",
  committed_at AS "committedAt", done_rows AS "doneRows", total_rows AS "totalRows", ignored`;

// Long enough for a process that is busy, short enough for people who wait for one that died.
const claim = "claimed_until = clock_timestamp() + interval '5 seconds'";

const begin = `
  INSERT INTO imports (id, state, is_paid, created_by, expires_at, claimed_by, claimed_until)
  VALUES ($1, 'planning', $2, $3, now() + $4 * interval '1 millisecond', $5, now() + interval '5 seconds')
  RETURNING ${columns}`;
const find = `SELECT ${columns} FROM imports WHERE id = $1`;
const findByToken = `SELECT ${columns} FROM imports WHERE token_hash = $1 AND expires_at > now()`;
const keepClaim = `
  UPDATE imports SET ${claim}, done_rows = coalesce($3, done_rows), total_rows = coalesce($4, total_rows)
  WHERE id = $1 AND claimed_by = $2`;
const finishPlan = `
  UPDATE imports SET state = $3, token_hash = $4, ignored = $5, done_rows = $6, total_rows = $6,
    claimed_by = NULL, claimed_until = NULL
  WHERE id = $1 AND state = 'planning' AND claimed_by = $2 RETURNING ${columns}`;
const beginCommit = `
  UPDATE imports SET state = 'committing', claimed_by = $2, ${claim}, done_rows = 0
  WHERE id = $1 AND state = 'planned' RETURNING ${columns}`;
const markCommitted = `
  UPDATE imports SET state = 'committed', committed_at = now()
  WHERE id = $1 AND state = 'committing' AND claimed_by = $2 RETURNING id`;
const markDone = `
  UPDATE imports SET state = 'done', done_rows = total_rows, claimed_by = NULL, claimed_until = NULL
  WHERE id = $1 AND state = 'committed'`;
const giveUp = `
  UPDATE imports SET state = 'releasing', claimed_by = NULL, claimed_until = NULL
  WHERE id = $1 AND state = 'committing' AND claimed_by = $2`;
const giveUpDead = `
  UPDATE imports SET state = 'releasing', claimed_by = NULL, claimed_until = NULL
  WHERE state = 'committing' AND claimed_until < now()`;
const markReleased = "UPDATE imports SET state = 'planned' WHERE id = $1 AND state = 'releasing'";
// Of what is committed and has a living holder, auth is being told.
const unfinished = `
  SELECT ${columns} FROM imports
  WHERE state IN ('releasing', 'committed') AND (claimed_until IS NULL OR claimed_until < now())`;
const forgotten = `
  SELECT ${columns} FROM imports
  WHERE (state = 'planning' AND claimed_until < now())
    OR (state IN ('planned', 'refused', 'done') AND expires_at < now())
  ORDER BY expires_at LIMIT 10`;

const counts = `
  SELECT file, action, count(*)::int AS count FROM import_rows
  WHERE import_id = $1 AND file <> 'known' AND action IS NOT NULL GROUP BY file, action`;
const rowColumns = 'position, file, line, sourced_id AS "sourcedId", action, changes, messages';
const nextRows = `
  SELECT ${rowColumns} FROM import_rows
  WHERE import_id = $1 AND position > $2 AND file <> 'known' ORDER BY position LIMIT $3`;
const badRows = `
  SELECT ${rowColumns} FROM import_rows
  WHERE import_id = $1 AND action = 'error' ORDER BY position LIMIT $2`;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Imports and the rows of their plans, from the dry run to the answer. */
export class ImportRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  /** Undefined when there is one of this id already. */
  async begin({ id, isPaid, createdBy, ttlMs, claimedBy }: NewImport): Promise<Import | undefined> {
    try {
      return await this.#one(begin, [id, isPaid, createdBy, ttlMs, claimedBy]);
    } catch (error) {
      if (isUniqueViolation(error, 'imports_pkey')) return undefined;
      throw error;
    }
  }

  find(id: string): Promise<Import | undefined> {
    return this.#one(find, [id]);
  }

  findByToken(token: string): Promise<Import | undefined> {
    return this.#one(findByToken, [hashOf(token)]);
  }

  /** A sign of life of whoever works on it, and how far that is. */
  async keepClaim(id: string, claimedBy: string, progress: { done?: number; total?: number }): Promise<void> {
    await this.#run(keepClaim, [id, claimedBy, progress.done ?? null, progress.total ?? null]);
  }

  /**
   * Ends the planning. Undefined when it took so long that it was given up.
   * @param token null when there are bad rows
   */
  finishPlan(
    id: string,
    claimedBy: string,
    plan: { token: string | null; rows: number; ignored: string[] },
  ): Promise<Import | undefined> {
    const state = plan.token === null ? 'refused' : 'planned';
    const hash = plan.token && hashOf(plan.token);
    return this.#one(finishPlan, [id, claimedBy, state, hash, plan.ignored, plan.rows]);
  }

  /** Undefined when it is not planned any more, or another import is being committed. */
  async beginCommit(id: string, claimedBy: string): Promise<Import | undefined> {
    try {
      return await this.#one(beginCommit, [id, claimedBy]);
    } catch (error) {
      if (isUniqueViolation(error, 'imports_one_at_a_time')) return undefined;
      throw error;
    }
  }

  /** False when somebody else believes that whoever commits it has died. */
  async markCommitted(id: string, claimedBy: string, transaction: Transaction): Promise<boolean> {
    return (await selectRows(this.#sequelize, markCommitted, [id, claimedBy], transaction)).length === 1;
  }

  async markDone(id: string): Promise<void> {
    await this.#run(markDone, [id]);
  }

  /** Gives up a commit before its transaction. */
  async giveUp(id: string, claimedBy: string): Promise<void> {
    await this.#run(giveUp, [id, claimedBy]);
  }

  /** Gives up what nobody has given a sign of life of. */
  async giveUpDead(): Promise<void> {
    await this.#run(giveUpDead, []);
  }

  async markReleased(id: string): Promise<void> {
    await this.#run(markReleased, [id]);
  }

  /** What auth must still be told of. */
  unfinished(): Promise<Import[]> {
    return selectRows<Import>(this.#sequelize, unfinished);
  }

  /** What nobody can do anything with any more. */
  forgotten(): Promise<Import[]> {
    return selectRows<Import>(this.#sequelize, forgotten);
  }

  async delete(id: string): Promise<void> {
    await this.#run('DELETE FROM imports WHERE id = $1', [id]);
  }

  counts(id: string): Promise<ImportCount[]> {
    return selectRows<ImportCount>(this.#sequelize, counts, [id]);
  }

  badRows(id: string, most: number): Promise<ImportRow[]> {
    return selectRows<ImportRow>(this.#sequelize, badRows, [id, most]);
  }

  /** All rows in the order of the archive's files, `size` at a time. */
  async *rows(id: string, size: number): AsyncGenerator<ImportRow[]> {
    for (let position = -1; ; ) {
      const rows = await selectRows<ImportRow>(this.#sequelize, nextRows, [id, position, size]);
      if (rows.length > 0) yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < size) return;
      position = last.position;
    }
  }

  async #one(query: string, bind: unknown[]): Promise<Import | undefined> {
    return (await selectRows<Import>(this.#sequelize, query, bind))[0];
  }

  async #run(query: string, bind: unknown[]): Promise<void> {
    await this.#sequelize.query(query, { bind });
  }
}

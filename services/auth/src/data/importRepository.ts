import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';
import type { ExistingUser, ImportedUser, PlanRow } from '../domain/planImportedUser.ts';
import type { User } from '../domain/user.ts';
import * as queries from './importQueries.ts';

type ImportState = 'planned' | 'reserved' | 'done';

// Bounds the duration of each statement: a large import must not exceed the statement timeout.
const linesPerStatement = 2_000;

/** Import plans and their effect on accounts. */
export class ImportRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Returns the accounts that share a sourcedId, email address or mobile number with the imported ones. */
  findMatching(users: ImportedUser[]): Promise<ExistingUser[]> {
    const values = [
      users.map(({ sourcedId }) => sourcedId),
      users.flatMap(({ email }) => email?.toLowerCase() ?? []),
      users.flatMap(({ mobile }) => mobile ?? []),
    ];
    return query<ExistingUser>(this.#db, { sql: queries.selectMatching, values });
  }

  findBySourcedIds(sourcedIds: string[]): Promise<(User & { sourcedId: string })[]> {
    return query(this.#db, { sql: queries.selectBySourcedId, values: [sourcedIds] });
  }

  async allocateUserIds(count: number): Promise<number[]> {
    const rows = await query<{ id: number }>(this.#db, { sql: queries.allocateUserIds, values: [count] });
    return rows.map(({ id }) => id);
  }

  /** Saves the plan for the given lines, replacing their earlier plan. */
  async savePlan(
    { importId, expiresAt }: { importId: string; expiresAt: Date },
    lines: number[],
    rows: PlanRow[],
  ): Promise<void> {
    await this.#db.transaction(async (transaction) => {
      await query(this.#db, { sql: queries.insertImport, values: [importId, expiresAt], transaction });
      if ((await this.lock(importId, transaction)) !== 'planned')
        throw new Error(`import ${importId} is no longer planned; its plan cannot change`);
      await query(this.#db, { sql: queries.deletePlanRows, values: [importId, lines], transaction });
      await query(this.#db, {
        sql: queries.insertPlanRows,
        values: [importId, JSON.stringify(rows)],
        transaction,
      });
    });
  }

  /** Locks an import until the transaction ends and returns its state; undefined if the import is unknown. */
  async lock(importId: string, transaction: Transaction): Promise<ImportState | undefined> {
    const sql = 'SELECT state FROM imports WHERE id = $1 FOR UPDATE';
    const [row] = await query<{ state: ImportState }>(this.#db, { sql, values: [importId], transaction });
    return row?.state;
  }

  async setState(importId: string, state: ImportState, transaction: Transaction): Promise<void> {
    await this.#run('UPDATE imports SET state = $2 WHERE id = $1', [importId, state], transaction);
  }

  /** Whether no account has changed since the import was planned. */
  async isPlanCurrent(importId: string, transaction: Transaction): Promise<boolean> {
    const [row] = await query<{ stale: number }>(this.#db, {
      sql: queries.countStaleRows,
      values: [importId],
      transaction,
    });
    return row?.stale === 0;
  }

  /**
   * Reserves the new accounts and the changed addresses in rows that count as deleted.
   * @throws a violation of `users_email` or `users_mobile` if an address or number is taken
   */
  async reserve(importId: string, transaction: Transaction): Promise<void> {
    for await (const range of this.#ranges(importId, transaction))
      for (const sql of [queries.reserveAccounts, queries.reserveAddresses])
        await this.#run(sql, [importId, ...range], transaction);
  }

  /** Deletes the reservations that have not become accounts. */
  async releaseReservations(importId: string, transaction: Transaction): Promise<void> {
    await this.#run(queries.deleteReservations, [importId], transaction);
  }

  /** Turns reserved rows into accounts and yields them in batches. */
  activateUsers(importId: string, transaction: Transaction): AsyncIterable<User[]> {
    return this.#inBatches(queries.activateUsers, importId, transaction);
  }

  /** Updates accounts and yields the changed accounts in batches. */
  updateUsers(importId: string, transaction: Transaction): AsyncIterable<User[]> {
    return this.#inBatches(queries.updateUsers, importId, transaction);
  }

  /** Deletes accounts with their personal data and yields the erased accounts in batches. */
  eraseUsers(importId: string, transaction: Transaction): AsyncIterable<User[]> {
    return this.#inBatches(queries.eraseUsers, importId, transaction);
  }

  /** Returns the logged-in users whose sessions the import ends: role changed, blocked or deleted (D13). */
  async findUsersToLogOut(importId: string, transaction: Transaction): Promise<number[]> {
    const ids: number[] = [];
    for (const users of [queries.usersLosingAccess, queries.deletedUsers]) {
      const sql = queries.selectLoggedIn(users);
      const rows = await query<{ id: number }>(this.#db, { sql, values: [importId], transaction });
      ids.push(...rows.map(({ id }) => id));
    }
    return ids;
  }

  /** Deletes login codes that must stop working, and the devices, addresses and second factors of deleted accounts. */
  async deleteAccess(importId: string, transaction: Transaction): Promise<void> {
    for (const sql of [
      queries.deleteLoginCodes(queries.usersWithInvalidCodes),
      queries.deleteLoginCodes(queries.deletedUsers),
      queries.deleteDevices,
      queries.deleteLoginAddresses,
      queries.deleteSecondFactors,
    ])
      await this.#run(sql, [importId], transaction);
  }

  /** Saves which account each sourcedId identifies. */
  async saveSourcedIds(importId: string, transaction: Transaction): Promise<void> {
    await this.#run(queries.deleteSourcedIds, [importId], transaction);
    await this.#run(queries.upsertSourcedIds, [importId], transaction);
  }

  async deletePlan(importId: string, transaction: Transaction): Promise<void> {
    await this.#run('DELETE FROM import_users WHERE import_id = $1', [importId], transaction);
  }

  async #run(sql: string, values: unknown[], transaction: Transaction): Promise<void> {
    await query(this.#db, { sql, values, transaction });
  }

  async *#ranges(importId: string, transaction: Transaction): AsyncIterable<[number, number]> {
    const sql = 'SELECT max(line) AS last FROM import_users WHERE import_id = $1';
    const [row] = await query<{ last: number | null }>(this.#db, { sql, values: [importId], transaction });
    for (let start = 0; start <= (row?.last ?? -1); start += linesPerStatement)
      yield [start, start + linesPerStatement - 1];
  }

  async *#inBatches(sql: string, importId: string, transaction: Transaction): AsyncIterable<User[]> {
    for await (const range of this.#ranges(importId, transaction))
      yield await query<User>(this.#db, { sql, values: [importId, ...range], transaction });
  }
}

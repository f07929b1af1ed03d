import { selectRows } from '@gradeway/shared/database/connection';
import type { Sequelize, Transaction } from 'sequelize';
import type { ImportedUser, KnownUser } from '../domain/planImportedUser.ts';
import type { User } from '../domain/user.ts';
import * as queries from './importQueries.ts';

/** What is kept of one account's plan: what is null does not change. */
export interface PlanRow
  extends Nullable<
    Pick<User, 'firstName' | 'lastName' | 'email' | 'mobile' | 'role' | 'isBlocked' | 'passwordHash'>
  > {
  line: number;
  sourcedId: string;
  action: 'create' | 'update' | 'delete' | 'unchanged';
  userId: number;
  isAdopted: boolean;
  revision: number;
}

type Nullable<T> = { [K in keyof T]: T[K] | null };
type State = 'planned' | 'reserved' | 'done';

// No statement may take longer than the connection's limit, however large an import is.
const linesAtOnce = 2_000;

/** Plans of imports, and their effect on accounts. */
export class ImportRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  /** The accounts that these are or might be. */
  findKnown(users: ImportedUser[]): Promise<KnownUser[]> {
    const bind = [
      users.map(({ sourcedId }) => sourcedId),
      users.flatMap(({ email }) => email?.toLowerCase() ?? []),
      users.flatMap(({ mobile }) => mobile ?? []),
    ];
    return selectRows<KnownUser>(this.#sequelize, queries.known, bind);
  }

  findSourced(sourcedIds: string[]): Promise<(User & { sourcedId: string })[]> {
    return selectRows(this.#sequelize, queries.sourced, [sourcedIds]);
  }

  /** Ids that no account has had or will have. */
  async nextUserIds(count: number): Promise<number[]> {
    return (await selectRows<{ id: number }>(this.#sequelize, queries.nextIds, [count])).map(({ id }) => id);
  }

  /** Keeps the plan of some lines in place of what was planned for them before. */
  async putPlan(
    { importId, expiresAt }: { importId: string; expiresAt: Date },
    lines: number[],
    rows: PlanRow[],
  ): Promise<void> {
    await this.#sequelize.transaction(async (transaction) => {
      await this.#sequelize.query(queries.putImport, { bind: [importId, expiresAt], transaction });
      if ((await this.lock(importId, transaction)) !== 'planned')
        throw new Error(`import ${importId} is reserved: its plan cannot change`);
      await this.#sequelize.query(queries.clearLines, { bind: [importId, lines], transaction });
      await this.#sequelize.query(queries.putRows, { bind: [importId, JSON.stringify(rows)], transaction });
    });
  }

  /** The state of an import, which stays so until the transaction ends; undefined when nothing is known of it. */
  async lock(importId: string, transaction: Transaction): Promise<State | undefined> {
    const query = 'SELECT state FROM imports WHERE id = $1 FOR UPDATE';
    const [row] = await selectRows<{ state: State }>(this.#sequelize, query, [importId], transaction);
    return row?.state;
  }

  async setState(importId: string, state: State, transaction: Transaction): Promise<void> {
    await this.#run('UPDATE imports SET state = $2 WHERE id = $1', [importId, state], transaction);
  }

  /** Whether every account is still as it was when the import was planned. */
  async isCurrent(importId: string, transaction: Transaction): Promise<boolean> {
    const [row] = await selectRows<{ stale: number }>(
      this.#sequelize,
      queries.countStale,
      [importId],
      transaction,
    );
    return row?.stale === 0;
  }

  /** @throws a duplicate of `users_email` or `users_mobile` when an address or number is somebody's */
  async reserve(importId: string, transaction: Transaction): Promise<void> {
    for await (const range of this.#ranges(importId, transaction))
      for (const query of [queries.reserveAccounts, queries.reserveAddresses])
        await this.#run(query, [importId, ...range], transaction);
  }

  /** Gives back what is reserved and is no account yet. */
  async free(importId: string, transaction: Transaction): Promise<void> {
    await this.#run(queries.freeAll, [importId], transaction);
  }

  /** The new accounts, a batch at a time, from now on seen by everybody. */
  create(importId: string, transaction: Transaction): AsyncIterable<User[]> {
    return this.#inBatches(queries.create, importId, transaction);
  }

  /** The accounts that change, a batch at a time, as they are from now on. */
  change(importId: string, transaction: Transaction): AsyncIterable<User[]> {
    return this.#inBatches(queries.change, importId, transaction);
  }

  /** The deleted accounts, a batch at a time, with nothing personal left in them. */
  erase(importId: string, transaction: Transaction): AsyncIterable<User[]> {
    return this.#inBatches(queries.erase, importId, transaction);
  }

  /** Who is logged in and will not be any more: another role, blocked or deleted (D13). */
  async loggedIn(importId: string, transaction: Transaction): Promise<number[]> {
    const rows = [];
    for (const who of [queries.withdrawn, queries.deleted])
      rows.push(
        ...(await selectRows<{ id: number }>(
          this.#sequelize,
          queries.loggedIn(who),
          [importId],
          transaction,
        )),
      );
    return rows.map(({ id }) => id);
  }

  /** Deletes the codes that went to addresses of before, and the devices of deleted accounts. */
  async forgetAccess(importId: string, transaction: Transaction): Promise<void> {
    for (const query of [
      queries.deleteCodes(queries.readdressed),
      queries.deleteCodes(queries.deleted),
      queries.deleteDevices,
    ])
      await this.#run(query, [importId], transaction);
  }

  /** Notes what the import calls its accounts. */
  async putSources(importId: string, transaction: Transaction): Promise<void> {
    await this.#run(queries.forgetSources, [importId], transaction);
    await this.#run(queries.putSources, [importId], transaction);
  }

  async clearPlan(importId: string, transaction: Transaction): Promise<void> {
    await this.#run('DELETE FROM import_users WHERE import_id = $1', [importId], transaction);
  }

  async #run(query: string, bind: unknown[], transaction: Transaction): Promise<void> {
    await this.#sequelize.query(query, { bind, transaction });
  }

  async *#ranges(importId: string, transaction: Transaction): AsyncIterable<[number, number]> {
    const query = 'SELECT max(line) AS last FROM import_users WHERE import_id = $1';
    const [row] = await selectRows<{ last: number | null }>(this.#sequelize, query, [importId], transaction);
    for (let start = 0; start <= (row?.last ?? -1); start += linesAtOnce)
      yield [start, start + linesAtOnce - 1];
  }

  async *#inBatches(query: string, importId: string, transaction: Transaction): AsyncIterable<User[]> {
    for await (const range of this.#ranges(importId, transaction))
      yield await selectRows<User>(this.#sequelize, query, [importId, ...range], transaction);
  }
}

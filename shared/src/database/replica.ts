import { setTimeout as sleep } from 'node:timers/promises';
import type { Sequelize } from 'sequelize';
import {
  discardConnection,
  isDiscarded,
  type PooledConnection,
  releaseConnection,
  takeConnection,
} from './connectionPool.ts';
import type { NamedStatement } from './query.ts';
import { compareReplay, type ReplayPosition, selectReplayPosition, type WalPosition } from './walPosition.ts';

/** Runs one statement that only reads. */
export type Select = <Row extends object>(statement: NamedStatement) => Promise<Row[]>;

/** The replica has not yet replayed a position, but is otherwise healthy. */
export class ReplicaBehind extends Error {}

// Doubles after each attempt until the wait is over.
const firstPauseMs = 2;

// Each statement sees the changes replayed before it began, regardless of the server's default isolation level. The
// transaction keeps a pooler from sending the two statements to different servers.
const begin = `BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; ${selectReplayPosition}`;

/** A server that replays the log of a primary. */
export class Replica {
  readonly #sequelize: Sequelize;
  readonly #statementMs: number;

  /** @param statementMs client-side timeout of each statement */
  constructor(sequelize: Sequelize, statementMs: number) {
    this.#sequelize = sequelize;
    this.#statementMs = statementMs;
  }

  /**
   * Runs `work` in a transaction that sees everything up to a position of the primary.
   * @param waitMs how long to wait for the position to be replayed
   * @throws ReplicaBehind if it has not been replayed by then
   */
  async read<T>(position: WalPosition, waitMs: number, work: (select: Select) => Promise<T>): Promise<T> {
    const connection = await takeConnection(this.#sequelize);
    try {
      await this.#waitFor(position, waitMs, connection);
      return await work(async <Row extends object>({ name, sql, values = [] }: NamedStatement) => {
        const { rows } = await this.#query(connection, { name, text: sql, values });
        return rows as Row[];
      });
    } catch (error) {
      // A statement may still be running. Closing the connection ends the transaction.
      if (!(error instanceof ReplicaBehind)) discardConnection(connection);
      throw error;
    } finally {
      void this.#giveBack(connection);
    }
  }

  async #waitFor(position: WalPosition, waitMs: number, connection: PooledConnection): Promise<void> {
    const until = Date.now() + waitMs;
    let text = begin;
    for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
      const result = await this.#query(connection, { text });
      // For multiple statements, pg returns an array of results.
      const { rows } = Array.isArray(result) ? result.at(-1) : result;
      const state = compareReplay(rows[0] as ReplayPosition, position);
      if (state === 'foreign') throw new Error(`no replica of the primary: ${JSON.stringify(rows[0])}`);
      if (state === 'reached') return;
      const leftMs = until - Date.now();
      if (leftMs <= 0) throw new ReplicaBehind();
      await sleep(Math.min(pauseMs, leftMs));
      text = selectReplayPosition;
    }
  }

  // The caller's response does not wait for the transaction to end.
  async #giveBack(connection: PooledConnection): Promise<void> {
    try {
      if (!isDiscarded(connection)) await this.#query(connection, { text: 'COMMIT' });
    } catch {
      discardConnection(connection);
    } finally {
      releaseConnection(this.#sequelize, connection);
    }
  }

  #query(connection: PooledConnection, query: Parameters<PooledConnection['query']>[0]) {
    return connection.query({ ...query, query_timeout: this.#statementMs });
  }
}

import pTimeout from 'p-timeout';
import { ConnectionAcquireTimeoutError, type Sequelize } from 'sequelize';
import type { Logger } from '../process/logger.ts';
import { requestContext } from '../process/requestContext.ts';
import type { ProcessContext } from '../process/runProcess.ts';
import { coalesceCalls } from './coalesceCalls.ts';
import { openDatabase } from './connection.ts';
import { isTransactionConflict } from './errors.ts';
import { queryPipelined } from './pipelinedQuery.ts';
import { query } from './query.ts';
import { Replica, ReplicaBehind, type Select } from './replica.ts';
import { countReplicaRead, declareReplicaReads, type ReplicaOutcome } from './replicaMetrics.ts';
import { ReplicaUse } from './replicaUse.ts';
import { selectWalPosition, type WalPosition } from './walPosition.ts';

/** Reads lists. Every statement sees all changes acknowledged before `read` was called. */
export interface ListReads {
  /**
   * Runs statements sequentially, each on its own snapshot. `work` must only read, because it is repeated on the
   * primary if a replica fails.
   * @param kind a short list: its statements are sent to the primary with {@link queryPipelined}
   */
  read<T>(work: (select: Select) => Promise<T>, kind?: 'short'): Promise<T>;
}

interface Limits {
  /** How long a list waits for a replica that lags slightly, as every replica does after a write. */
  waitMs: number;
  /** How long a list waits for each statement before it is read from the primary instead. */
  limitMs: number;
  /** How long a failed replica stays unused. */
  pauseMs: number;
}

const defaultLimits: Limits = { waitMs: 50, limitMs: 2_000, pauseMs: 3_000 };

/** Reads lists from the database itself, without a replica. */
export function primaryReads(sequelize: Sequelize): ListReads {
  const select: Select = (statement) => query(sequelize, statement);
  const selectShort: Select = (statement) => queryPipelined(sequelize, statement);
  return { read: (work, kind) => work(kind === 'short' ? selectShort : select) };
}

interface Config {
  databaseReadUrl: string | undefined;
  databasePool: number;
}

/** Opens the read replica for lists, if one is configured. An unusable replica does not delay the start. */
export function openListReads(
  { config, log, onStop }: Pick<ProcessContext<Config>, 'config' | 'log' | 'onStop'>,
  name: string,
  primary: Sequelize,
  limits = defaultLimits,
): ListReads {
  declareReplicaReads();
  if (!config.databaseReadUrl) return primaryReads(primary);
  const sequelize = openDatabase({ url: config.databaseReadUrl, name, pool: config.databasePool });
  // A hung server would keep its connections from closing.
  onStop('the read replica', () => within(limits.limitMs, sequelize.close()));
  const reads = new ReplicaReads(primary, new Replica(sequelize, limits.limitMs), limits, log);
  onStop('the probes of the read replica', () => reads.close());
  return reads;
}

class ReplicaReads implements ListReads {
  readonly #primary: ListReads;
  readonly #replica: Replica;
  readonly #limits: Limits;
  readonly #use: ReplicaUse;
  readonly #askPosition: () => Promise<WalPosition>;
  // While true, lists do not wait for the replica.
  #isBehind = false;

  constructor(primary: Sequelize, replica: Replica, limits: Limits, log: Logger) {
    this.#primary = primaryReads(primary);
    this.#replica = replica;
    this.#limits = limits;
    // Requests share this call, so it must not inherit the deadline of any of them.
    this.#askPosition = coalesceCalls(() => requestContext.exit(() => this.#position()));
    this.#use = new ReplicaUse({ probe: () => this.#probe(), pauseMs: limits.pauseMs, log });
  }

  close(): Promise<void> {
    return this.#use.close();
  }

  async read<T>(work: (select: Select) => Promise<T>, kind?: 'short'): Promise<T> {
    const result = await this.#tryReplica(work);
    if ('value' in result) return result.value;
    countReplicaRead(result.outcome);
    return this.#primary.read(work, kind);
  }

  async #tryReplica<T>(
    work: (select: Select) => Promise<T>,
  ): Promise<{ value: T } | { outcome: ReplicaOutcome }> {
    if (!this.#use.isUsed) return { outcome: 'left' };
    const { limitMs, waitMs } = this.#limits;
    const position = await within(limitMs, this.#askPosition()).catch(() => undefined);
    if (!position) return { outcome: 'unknown' };
    try {
      const value = await this.#replica.read(position, this.#isBehind ? 0 : waitMs, work);
      this.#isBehind = false;
      countReplicaRead('replica');
      return { value };
    } catch (error) {
      return { outcome: this.#outcomeOf(error) };
    }
  }

  #outcomeOf(error: unknown): ReplicaOutcome {
    if (error instanceof ReplicaBehind) {
      this.#isBehind = true;
      return 'behind';
    }
    // All connections are in use. The requests that hold one will find out whether the replica is slow.
    if (error instanceof ConnectionAcquireTimeoutError) return 'busy';
    // The replica had to replay a change that conflicted with the query.
    if (isTransactionConflict(error)) return 'conflict';
    this.#use.leave(error);
    return 'failed';
  }

  async #position(): Promise<WalPosition> {
    const [position] = await this.#primary.read((select) =>
      select<WalPosition>({ name: 'position of the log', sql: selectWalPosition }),
    );
    if (!position) throw new Error('the primary returned no position');
    return position;
  }

  async #probe(): Promise<void> {
    const position = await within(this.#limits.limitMs, this.#askPosition());
    const nothing = async () => {};
    await this.#replica.read(position, 0, nothing).catch((error) => {
      if (!(error instanceof ReplicaBehind)) throw error;
    });
  }
}

// Creates the error only on a timeout: a stack trace for every read would cost more than the wait.
const within = <T>(milliseconds: number, work: Promise<T>): Promise<T> =>
  pTimeout(work, {
    milliseconds,
    fallback: () => {
      throw new Error(`no response after ${milliseconds} ms`);
    },
  });

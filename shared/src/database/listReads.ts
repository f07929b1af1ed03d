import pTimeout from 'p-timeout';
import { ConnectionAcquireTimeoutError, type Sequelize } from 'sequelize';
import type { Logger } from '../process/logger.ts';
import { requestContext } from '../process/requestContext.ts';
import type { ProcessContext } from '../process/runProcess.ts';
import { coalesceCalls } from './coalesceCalls.ts';
import { openDatabase } from './connection.ts';
import { isTransactionConflict } from './errors.ts';
import { selectPipelined } from './pipelinedQuery.ts';
import { selectPrepared } from './preparedQuery.ts';
import { Replica, ReplicaBehind, type Select } from './replica.ts';
import { countReplicaRead, declareReplicaReads, type ReplicaOutcome } from './replicaMetrics.ts';
import { ReplicaUse } from './replicaUse.ts';
import { selectWalPosition, type WalPosition } from './walPosition.ts';

/** Reads lists. Every statement sees all changes that were acknowledged before `read` was called. */
export interface ListReads {
  /**
   * Runs statements sequentially, each on its own snapshot. `work` must only read: if a replica fails, it is repeated on the
   * primary.
   * @param kind a short list: its statements are sent to the primary with {@link selectPipelined}
   */
  read<T>(work: (select: Select) => Promise<T>, kind?: 'short'): Promise<T>;
}

interface Limits {
  /** How long a list waits for a replica that is a little behind, as every replica is after a write. */
  waitMs: number;
  /** How long a list waits for the answer to each statement; then it is read from the primary. */
  limitMs: number;
  /** How long a failed replica is not used. */
  pauseMs: number;
}

const defaultLimits: Limits = { waitMs: 50, limitMs: 2_000, pauseMs: 3_000 };

/** Lists that are read from a database itself. */
export function primaryReads(sequelize: Sequelize): ListReads {
  const select: Select = (...statement) => selectPrepared(sequelize, ...statement);
  const selectShort: Select = (...statement) => selectPipelined(sequelize, ...statement);
  return { read: (work, kind) => work(kind === 'short' ? selectShort : select) };
}

interface Config {
  databaseReadUrl: string | undefined;
  databasePool: number;
}

/** Opens the replica that lists are read from, if there is one. A replica that cannot be used delays no start. */
export function openListReads(
  { config, log, onStop }: Pick<ProcessContext<Config>, 'config' | 'log' | 'onStop'>,
  name: string,
  primary: Sequelize,
  limits = defaultLimits,
): ListReads {
  declareReplicaReads();
  if (!config.databaseReadUrl) return primaryReads(primary);
  const sequelize = openDatabase({ url: config.databaseReadUrl, name, pool: config.databasePool });
  // A server that hangs would not let its connections end.
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
  // Then lists do not wait for it.
  #isBehind = false;

  constructor(primary: Sequelize, replica: Replica, limits: Limits, log: Logger) {
    this.#primary = primaryReads(primary);
    this.#replica = replica;
    this.#limits = limits;
    // It is shared by requests, so it may have the deadline of none.
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
    // All connections are in use. Whether the replica is slow will be seen by those who have one.
    if (error instanceof ConnectionAcquireTimeoutError) return 'busy';
    // The replica had to replay a change that the query was in the way of.
    if (isTransactionConflict(error)) return 'conflict';
    this.#use.leave(error);
    return 'failed';
  }

  async #position(): Promise<WalPosition> {
    const [position] = await this.#primary.read((select) =>
      select<WalPosition>('position of the log', selectWalPosition),
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

// The error is created when the time is over: a stack trace for each read would cost more than the wait.
const within = <T>(milliseconds: number, work: Promise<T>): Promise<T> =>
  pTimeout(work, {
    milliseconds,
    fallback: () => {
      throw new Error(`no answer after ${milliseconds} ms`);
    },
  });

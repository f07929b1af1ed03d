import { ConnectionAcquireTimeoutError, type Sequelize } from 'sequelize';
import { StillWaiting } from '../errors/stillWaiting.ts';
import { remainingTime, requestContext } from '../process/requestContext.ts';
import { isConnectionFailure } from './errors.ts';
import { Outage } from './outage.ts';

interface Options {
  /** How long after the beginning of an outage requests wait; 0 means not at all. */
  limitMs: number;
  /** How many may wait at once; the next ones fail immediately. */
  maxWaiting?: number;
}

type GetConnection = (options: object) => Promise<unknown>;

interface Manager {
  getConnection: GetConnection;
  releaseConnection(connection: unknown): void;
}

// So much earlier than its deadline a request gives up: the time to answer its caller.
const answerMs = 300;
// Timers and the clock may differ by so much.
const earlyMs = 20;

const outages = new WeakMap<Sequelize, Outage>();

/** The number of requests that wait for the database to come back. */
export const requestsWaitingFor = (sequelize: Sequelize): number => outages.get(sequelize)?.waiting ?? 0;

/**
 * Lets requests wait while the database is unreachable for a moment, as during a restart: an attempt to get a connection
 * that fails is repeated until `limitMs` after the outage began, or until the deadline of the request. Nothing has been
 * sent to the database by then, so no statement is ever executed twice. In a longer outage every attempt fails at once.
 * Without a request there is no wait: background work has its own repetition, and a readiness check asks about now.
 */
export function waitForConnections(sequelize: Sequelize, { limitMs, maxWaiting = 1_000 }: Options): void {
  // Not in Sequelize's types. All of its queries and transactions, and selectPrepared, use this method.
  const manager = sequelize.connectionManager as unknown as Manager;
  const getConnection = manager.getConnection.bind(manager);
  const probe = async () => manager.releaseConnection(await getConnection({ type: 'SELECT' }));
  const outage = new Outage({ limitMs, maxWaiting, probe });
  outages.set(sequelize, outage);

  manager.getConnection = async (options) => {
    let giveUpAt: number | undefined;
    for (;;) {
      const attemptedAt = Date.now();
      try {
        const connection = await getConnection(options);
        outage.succeeded();
        return connection;
      } catch (error) {
        // After an outage all who waited want one of the few connections: they may queue for as long as they may wait.
        if (isQueueTimeout(error) && giveUpAt && Date.now() < giveUpAt) continue;
        if (isQueueTimeout(error) && !outage.waitsUntil && mayQueueOn()) continue;
        if (isConnectionFailure(error)) outage.failed(attemptedAt);
        else if (!isQueueTimeout(error)) throw error;
        giveUpAt ??= attemptedAt + limitMs;
        await waitForEnd(outage, giveUpAt, error);
      }
    }
  };
}

/** Waits until the outage has ended. Throws `error` when the request may not wait as long. */
async function waitForEnd(outage: Outage, giveUpAt: number, error: unknown): Promise<void> {
  const context = requestContext.getStore();
  const { waitsUntil } = outage;
  if (!context || waitsUntil === undefined) throw error;
  const until = Math.min(waitsUntil, giveUpAt);
  const deadline = context.deadline - answerMs;
  if (await outage.wait(Math.min(until, deadline))) return;
  // Neither when the outage has lasted too long, nor when too many wait already.
  const isCutShort = deadline < until && Date.now() >= deadline - earlyMs;
  throw isCutShort ? new StillWaiting(error) : error;
}

// An upload or download waits for a busy pool: it would have to be repeated as a whole.
const mayQueueOn = (): boolean =>
  requestContext.getStore()?.sharesConnections === true && remainingTime(answerMs) === answerMs;

const isQueueTimeout = (error: unknown): boolean => error instanceof ConnectionAcquireTimeoutError;

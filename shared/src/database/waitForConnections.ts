import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionAcquireTimeoutError, type Sequelize } from 'sequelize';
import { StillWaiting } from '../errors/stillWaiting.ts';
import { remainingTime, requestContext } from '../process/requestContext.ts';
import { wrapPool } from './connectionPool.ts';
import { isConnectionFailure } from './errors.ts';
import { Outage } from './outage.ts';

interface Options {
  /** How long requests wait, counted from the start of an outage; 0 disables waiting. */
  limitMs: number;
  /** Max number of requests that wait at once; further ones fail immediately. */
  maxWaiting?: number;
  /** While this returns true, what happens outside requests waits as well. */
  isStarting?: () => boolean;
}

// Gives up this long before the deadline, leaving time to respond.
const answerMs = 300;
const startPauseMs = 500;
// Max difference between timers and the clock.
const earlyMs = 20;

const outages = new WeakMap<Sequelize, Outage>();

/** The number of requests that wait for the database to come back. */
export const requestsWaitingFor = (sequelize: Sequelize): number => outages.get(sequelize)?.waiting ?? 0;

/**
 * Makes requests wait while the database is briefly unreachable, as during a restart. A failed attempt to get a
 * connection is retried until `limitMs` after the outage began, or until the deadline of the request. Nothing has been
 * sent to the database by then, so no statement is executed twice. In a longer outage every attempt fails at once.
 * Outside a request there is no wait: background work has its own retries, and a readiness check reports the current
 * state. Only while the process starts, everything waits: on a busy node, a connection can take longer than its time limit, and a
 * process that gave up would start all over again.
 */
export function waitForConnections(
  sequelize: Sequelize,
  { limitMs, maxWaiting = 1_000, isStarting = () => false }: Options,
): void {
  wrapPool(sequelize, ({ getConnection, releaseConnection }) => {
    const probe = async () => releaseConnection(await getConnection({ type: 'SELECT' }));
    const outage = new Outage({ limitMs, maxWaiting, probe });
    outages.set(sequelize, outage);
    return {
      getConnection: (options) =>
        getDespiteOutage(() => getConnection(options), { outage, limitMs, isStarting }),
    };
  });
}

async function getDespiteOutage<T>(
  getConnection: () => Promise<T>,
  { outage, limitMs, isStarting }: Required<Pick<Options, 'limitMs' | 'isStarting'>> & { outage: Outage },
): Promise<T> {
  let giveUpAt: number | undefined;
  for (;;) {
    const attemptedAt = Date.now();
    try {
      const connection = await getConnection();
      outage.succeeded();
      return connection;
    } catch (error) {
      if (isConnectionFailure(error) && isStarting() && !requestContext.getStore()) {
        await sleep(startPauseMs);
        continue;
      }
      // After an outage all waiting requests compete for the few connections, so they may queue until they give up.
      if (isQueueTimeout(error) && giveUpAt && Date.now() < giveUpAt) continue;
      if (isQueueTimeout(error) && !outage.waitsUntil && mayQueueOn()) continue;
      if (isConnectionFailure(error)) outage.failed(attemptedAt);
      else if (!isQueueTimeout(error)) throw error;
      giveUpAt ??= attemptedAt + limitMs;
      await waitForEnd(outage, giveUpAt, error);
    }
  }
}

/** Waits for the outage to end. Throws `error` if the request cannot wait that long. */
async function waitForEnd(outage: Outage, giveUpAt: number, error: unknown): Promise<void> {
  const context = requestContext.getStore();
  const { waitsUntil } = outage;
  if (!context || waitsUntil === undefined) throw error;
  const until = Math.min(waitsUntil, giveUpAt);
  const deadline = context.deadline - answerMs;
  if (await outage.wait(Math.min(until, deadline))) return;
  // False if the outage has lasted too long, or if too many requests already wait.
  const isCutShort = deadline < until && Date.now() >= deadline - earlyMs;
  throw isCutShort ? new StillWaiting(error) : error;
}

// An upload or download waits for a busy pool, because a failure would mean repeating the whole transfer.
const mayQueueOn = (): boolean =>
  requestContext.getStore()?.sharesConnections === true && remainingTime(answerMs) === answerMs;

const isQueueTimeout = (error: unknown): boolean => error instanceof ConnectionAcquireTimeoutError;

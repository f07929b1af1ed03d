import type { Sequelize } from 'sequelize';
import { type PooledConnection, poolOf } from './pooledConnection.ts';
import { runPrepared } from './preparedQuery.ts';

/** A connection on which the reads of several requests wait for their results. */
interface SharedConnection {
  connection: PooledConnection;
  takenAt: number;
  /** When the server last returned a result, or the connection was taken from the pool. */
  lastResultAt: number;
  waiting: number;
}

// The number of reads that wait bounds how long the last of them does: the server executes each in some 0.1 ms.
const mostWaiting = 16;
// Behind a read that takes longer than it should, for example because the server reads from a disk, no other one queues.
const stalledMs = 5;
// The pool gets the connection back after this time, however many reads follow one another.
const longestMs = 100;

const sharedConnections = new WeakMap<Sequelize, SharedConnection[]>();
const preparedOn = new WeakMap<PooledConnection, Set<string>>();

/**
 * Like `selectPrepared`, for a read that the server executes in less than a millisecond and that waits for no lock. It is sent on a
 * connection where others still wait for their results, if there is one, so that neither process has to be woken for each
 * (decision 60). The server executes them one after another, each as a transaction of its own with its own snapshot: an error
 * of one does not affect the others, but all fail when the connection is lost.
 */
export async function selectPipelined<Row extends object>(
  sequelize: Sequelize,
  name: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const open = sharedConnections.get(sequelize) ?? [];
  sharedConnections.set(sequelize, open);
  // The first one is filled first, so that the others become free.
  const shared = open.find((each) => isJoinable(each, name)) ?? (await takeFromPool(sequelize, open));
  shared.waiting += 1;
  try {
    const rows = await runPrepared<Row>(shared.connection, { name, text, values });
    namesPreparedOn(shared.connection).add(name);
    return rows;
  } finally {
    shared.lastResultAt = performance.now();
    shared.waiting -= 1;
    if (shared.waiting === 0) {
      open.splice(open.indexOf(shared), 1);
      poolOf(sequelize).releaseConnection(shared.connection);
    }
  }
}

// Nothing waits for a connection that is still being opened: in an outage each request has its own deadline (waitForConnections).
async function takeFromPool(sequelize: Sequelize, open: SharedConnection[]): Promise<SharedConnection> {
  const connection = await poolOf(sequelize).getConnection({ type: 'read' });
  const now = performance.now();
  const shared = { connection, takenAt: now, lastResultAt: now, waiting: 0 };
  open.push(shared);
  return shared;
}

function isJoinable({ connection, waiting, takenAt, lastResultAt }: SharedConnection, name: string): boolean {
  if (waiting >= mostWaiting) return false;
  // If the server cannot prepare a statement, those sent behind it would fail because it does not exist.
  if (!namesPreparedOn(connection).has(name)) return false;
  const now = performance.now();
  return now - lastResultAt < stalledMs && now - takenAt < longestMs;
}

function namesPreparedOn(connection: PooledConnection): Set<string> {
  const names = preparedOn.get(connection) ?? new Set();
  preparedOn.set(connection, names);
  return names;
}

import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import type { Sequelize } from 'sequelize';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/connection.ts';
import { poolState, releaseConnection, takeConnection, wrapPool } from '../../src/database/connectionPool.ts';
import { queryPipelined } from '../../src/database/pipelinedQuery.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

function open(pool: number): Sequelize {
  const sequelize = openDatabase({ url: database.url('quiz'), name: 'test', pool });
  onTestFinished(() => sequelize.close());
  return sequelize;
}

const readers = 16;
const readsOfEach = 60;

/** Reads with many concurrent readers. Each reader reads again as soon as it has its rows. */
async function readAtOnce(read: (value: number) => Promise<void>): Promise<void> {
  const reader = async (_: unknown, index: number) => {
    for (let number = 0; number < readsOfEach; number += 1) await read(index * readsOfEach + number);
  };
  await Promise.all(Array.from({ length: readers }, reader));
}

const echo = 'SELECT $1::int AS value';
const readEcho = async (sequelize: Sequelize, value: number) =>
  expect(await queryPipelined(sequelize, { name: 'echo', sql: echo, values: [value] })).toEqual([{ value }]);

test('reads of many requests share connections, and each read gets its own rows', async () => {
  const sequelize = open(4);
  let taken = 0;
  wrapPool(sequelize, ({ getConnection }) => ({
    getConnection(options) {
      taken += 1;
      return getConnection(options);
    },
  }));
  await readAtOnce((value) => readEcho(sequelize, value));
  // This is fewer than half of them, unless the machine is so busy that results are late.
  expect(taken).toBeLessThan(readers * readsOfEach);
  expect(poolState(sequelize).used).toBe(0);
});

test('a read that fails affects no other on its connection', async () => {
  const sequelize = open(2);
  const divide = 'SELECT 1 / $1::int AS value';
  await readAtOnce(async (value) => {
    const divisor = value % 3;
    const result = queryPipelined(sequelize, { name: 'divide', sql: divide, values: [divisor] });
    if (divisor === 0) await expect(result).rejects.toMatchObject({ code: '22012' });
    else expect(await result).toEqual([{ value: divisor === 1 ? 1 : 0 }]);
  });
  expect(poolState(sequelize).used).toBe(0);
});

test('a statement that cannot be prepared always fails with its own error and affects no other statement', async () => {
  const sequelize = open(2);
  await readAtOnce(async (value) => {
    if (value % 4 > 0) return readEcho(sequelize, value);
    const result = queryPipelined(sequelize, { name: 'missing table', sql: 'SELECT FROM missing' });
    await expect(result).rejects.toMatchObject({ code: '42P01' });
  });
});

test('a read sees everything committed before it, even on a connection with other reads', async () => {
  const sequelize = open(3);
  await sequelize.query('CREATE TABLE counted (id int)');
  const count = 'SELECT count(*)::int AS rows FROM counted';
  let committed = 0;
  await readAtOnce(async (value) => {
    if (value % 8 === 0) {
      await sequelize.query('INSERT INTO counted VALUES (1)');
      committed += 1;
    }
    const atLeast = committed;
    const [row] = await queryPipelined<{ rows: number }>(sequelize, { name: 'count', sql: count });
    expect(row?.rows).toBeGreaterThanOrEqual(atLeast);
  });
});

test('the pool gets a shared connection back even if there is always another read', async () => {
  const sequelize = open(2);
  let isDone = false;
  onTestFinished(() => {
    isDone = true;
  });
  let reads = 0;
  // Results that arrive one at a time, so that some reads are always waiting.
  const reader = async () => {
    for (; !isDone; reads += 1)
      await queryPipelined(sequelize, { name: 'slow', sql: 'SELECT pg_sleep(0.001)' });
  };
  const reading = Promise.all(Array.from({ length: 8 }, reader));
  await waitFor(() => reads > 100);
  const connections = [];
  // Waits for a connection for up to three seconds.
  for (const _ of ['one', 'the other']) connections.push(await takeConnection(sequelize));
  for (const connection of connections) releaseConnection(sequelize, connection);
  isDone = true;
  await reading;
});

test('after a lost connection the next reads use another one', async () => {
  const sequelize = open(2);
  let [succeeded, failed, isDone] = [0, 0, false];
  onTestFinished(() => {
    isDone = true;
  });
  const reader = async (_: unknown, value: number) => {
    while (!isDone) {
      const rows = await queryPipelined(sequelize, { name: 'echo', sql: echo, values: [value] }).catch(
        () => undefined,
      );
      if (rows) succeeded += 1;
      else failed += 1;
    }
  };
  const succeedAgain = () => {
    const before = succeeded;
    return waitFor(() => succeeded > before + 100);
  };
  const reading = Promise.all(Array.from({ length: readers }, reader));
  await succeedAgain();
  // A connection may be lost while no read is using it.
  await waitFor(async () => {
    await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE usename = 'gradeway_quiz' AND datname = current_database()`);
    return failed > 0;
  });
  await succeedAgain();
  const failedByLoss = failed;
  await succeedAgain();
  expect(failed).toBe(failedByLoss);
  isDone = true;
  await reading;
  expect(poolState(sequelize).used).toBe(0);
});

import { type DatabaseProxy, startDatabaseProxy } from '@gradeway/test/databaseProxy';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import { ConnectionError, type Sequelize } from 'sequelize';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction, openDatabase } from '../../src/database/connection.ts';
import { requestsWaitingFor, waitForConnections } from '../../src/database/waitForConnections.ts';
import { StillWaiting } from '../../src/errors/stillWaiting.ts';
import { requestContext } from '../../src/process/requestContext.ts';

const limitMs = 20_000;
const maxWaiting = 5;

let database: TestDatabase;
let postgres: DatabaseProxy;
let sequelize: Sequelize;
beforeAll(async () => {
  database = await createTestDatabase();
  postgres = await startDatabaseProxy(database.url('quiz'));
  sequelize = openDatabase({ url: postgres.url, name: 'test', pool: 2 });
  waitForConnections(sequelize, { limitMs, maxWaiting });
});
afterAll(async () => {
  await postgres.restore();
  await sequelize.close();
  postgres.close();
  await database.drop();
});
beforeEach(async () => {
  await postgres.restore();
  await waitFor(() => sequelize.query('SELECT 1'));
});

const inRequest = <T>(work: () => Promise<T>, timeMs = 60_000): Promise<T> =>
  requestContext.run({ requestId: 'test', deadline: Date.now() + timeMs }, work);
const select = () => sequelize.query('SELECT 1');
const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error) => error,
  );
const isAway = () => waitFor(async () => (await outcomeOf(select())) instanceof ConnectionError);

test('a request waits until connections are accepted again, even while the server starts', async () => {
  postgres.refuse();
  await isAway();
  const waiting = [inRequest(select), inRequest(() => inTransaction(sequelize, async () => 'done'))];
  await waitFor(() => requestsWaitingFor(sequelize) === 2);
  await postgres.startUp();
  await postgres.restore();
  expect(await Promise.all(waiting.map(outcomeOf))).toEqual(['done', 'done']);
  expect(requestsWaitingFor(sequelize)).toBe(0);
});

test('while the process starts, what happens outside requests waits as well', async () => {
  const starting = openDatabase({
    url: postgres.url,
    name: 'start',
    pool: 2,
    waitMs: limitMs,
    isStarting: () => true,
  });
  postgres.refuse();
  await isAway();
  const waiting = outcomeOf(starting.query('SELECT 1'));
  await isAway();
  await postgres.restore();
  expect(await waiting).toBe('done');
  await starting.close();
});

test('background work does not wait for a connection', async () => {
  postgres.refuse();
  await isAway();
  // If they waited, they would exceed the time limit of this test.
  for (let attempt = 0; attempt < 10; attempt += 1)
    expect(await outcomeOf(select())).toBeInstanceOf(ConnectionError);
});

test('the wait for a connection ends before the deadline of the request', async () => {
  postgres.refuse();
  await isAway();
  expect(await outcomeOf(inRequest(select, 1_000))).toBeInstanceOf(StillWaiting);
});

test('requests fail at once when too many others are waiting', async () => {
  postgres.refuse();
  await isAway();
  const waiting = Array.from({ length: maxWaiting }, () => inRequest(select));
  await waitFor(() => requestsWaitingFor(sequelize) === maxWaiting);
  expect(await outcomeOf(inRequest(select))).toBeInstanceOf(ConnectionError);
  expect(requestsWaitingFor(sequelize)).toBe(maxWaiting);
  await postgres.restore();
  expect(await Promise.all(waiting.map(outcomeOf))).toEqual(waiting.map(() => 'done'));
});

test('a refused password does not cause a wait', async () => {
  const url = new URL(postgres.url);
  url.password = 'wrong';
  const refused = openDatabase({ url: url.href, name: 'test', pool: 1, waitMs: limitMs });
  const failure = await outcomeOf(inRequest(() => refused.query('SELECT 1')));
  expect(failure).toMatchObject({ parent: { code: '28P01' } });
  expect(requestsWaitingFor(refused)).toBe(0);
  await refused.close();
});

test('a statement that was sent is not repeated', async () => {
  await sequelize.query('CREATE TABLE IF NOT EXISTS attempts (at timestamptz DEFAULT now())');
  const sleeping = inRequest(() => sequelize.query('INSERT INTO attempts SELECT now() FROM pg_sleep(2)'));
  const outcome = outcomeOf(sleeping);
  const isRunning = async () => {
    const sql = `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'INSERT INTO attempts%' AND state = 'active'`;
    return (await database.query(sql)).length > 0;
  };
  await waitFor(isRunning);
  await postgres.startUp();
  await postgres.restore();
  expect(await outcome).toBeInstanceOf(Error);
  await waitFor(async () => !(await isRunning()));
  const [row] = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM quiz.attempts');
  expect(row?.count).toBeLessThanOrEqual(1);
});

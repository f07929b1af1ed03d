import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import type { Sequelize } from 'sequelize';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/connection.ts';
import { isDatabaseUnavailable } from '../../src/database/errors.ts';
import { query } from '../../src/database/query.ts';

let database: TestDatabase;
let sequelize: Sequelize;
beforeAll(async () => {
  database = await createTestDatabase();
  sequelize = openDatabase({ url: database.url('quiz'), name: 'test', pool: 2 });
});
afterAll(async () => {
  await sequelize.close();
  await database.drop();
});

test('a statement of a transaction whose connection the server has already closed counts as unavailable', async () => {
  const failure = await sequelize
    .transaction(async (transaction) => {
      const sql = 'SELECT pg_backend_pid() AS pid';
      const [backend] = await query<{ pid: number }>(sequelize, { sql, transaction });
      await database.query('SELECT pg_terminate_backend($1)', [backend?.pid]);
      const isConnected = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1';
      await waitFor(async () => (await database.query(isConnected, [backend?.pid])).length === 0);
      await query(sequelize, { sql, transaction });
    })
    .catch((error) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(isDatabaseUnavailable(failure), failure.message).toBe(true);
});

test('a failed constraint does not count as unavailable', async () => {
  await sequelize.query('CREATE TABLE IF NOT EXISTS things (id integer PRIMARY KEY)');
  const failure = await sequelize.query('INSERT INTO things VALUES (1), (1)').catch((error) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(isDatabaseUnavailable(failure)).toBe(false);
});

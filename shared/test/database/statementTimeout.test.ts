import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inTransaction, openDatabase } from '../../src/database/connection.ts';
import { query } from '../../src/database/query.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** A pool whose connection has the timeout of another client, as a pooler may lend it. */
async function openOnBorrowedConnection(statementTimeoutMs: number) {
  const sequelize = openDatabase({ url: database.url('quiz'), name: 'test', pool: 1, statementTimeoutMs });
  await sequelize.query('SET statement_timeout = 50');
  return sequelize;
}

test('bulk statements have their own timeout on any connection, inside and outside a transaction', async () => {
  const sequelize = await openOnBorrowedConnection(20_000);
  try {
    const slow = "SELECT 'done' AS state, pg_sleep(0.3)";
    expect(await query(sequelize, { sql: slow })).toMatchObject([{ state: 'done' }]);
    const inside = await inTransaction(sequelize, (transaction) =>
      query(sequelize, { sql: slow, transaction }),
    );
    expect(inside).toMatchObject([{ state: 'done' }]);
    await expect(inTransaction(sequelize, async () => Promise.reject(new Error('own')))).rejects.toThrow(
      'own',
    );
    expect(await query(sequelize, { sql: 'SHOW statement_timeout' })).toEqual([{ statement_timeout: '20s' }]);
  } finally {
    await sequelize.close();
  }
});

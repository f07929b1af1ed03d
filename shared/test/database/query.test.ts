import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import type { Sequelize } from 'sequelize';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/connection.ts';
import { isUniqueViolation } from '../../src/database/errors.ts';
import { query, writeAtOnce } from '../../src/database/query.ts';

let database: TestDatabase;
let sequelize: Sequelize;
beforeAll(async () => {
  database = await createTestDatabase();
  sequelize = openDatabase({ url: database.url('quiz'), name: 'test', pool: 1 });
  await query(sequelize, {
    sql: 'CREATE TABLE things (id integer CONSTRAINT things_once PRIMARY KEY, at timestamptz)',
  });
});
afterAll(async () => {
  await sequelize?.close();
  await database?.drop();
});

const insert = 'INSERT INTO things VALUES ($1, $2) RETURNING id, at';
const idsOf = async () =>
  (await query<{ id: number }>(sequelize, { sql: 'SELECT id FROM things ORDER BY id' })).map(({ id }) => id);

describe.each([
  { kind: 'a statement without a name', named: {}, first: 1 },
  { kind: 'a prepared statement', named: { name: 'insert thing' }, first: 11 },
])('$kind', ({ named, first }) => {
  const at = new Date('2026-11-28T10:00:00.123Z');

  test('returns its rows with their types', async () => {
    expect(await query(sequelize, { ...named, sql: insert, values: [first, at] })).toEqual([
      { id: first, at },
    ]);
  });

  test('belongs to its transaction', async () => {
    const rolledBack = sequelize.transaction(async (transaction) => {
      await query(sequelize, { ...named, sql: insert, values: [first + 1, at], transaction });
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await idsOf()).not.toContain(first + 1);
  });

  test('reports the constraint that it violates', async () => {
    const again = query(sequelize, { ...named, sql: insert, values: [first, at] });
    const error = await again.catch((failure) => failure);
    expect(isUniqueViolation(error, 'things_once')).toBe(true);
    expect(isUniqueViolation(error, 'another')).toBe(false);
  });
});

test('a connection prepares a statement once', async () => {
  const statement = { name: 'counted', sql: 'SELECT count(*)::int AS things FROM things WHERE id > $1' };
  for (const id of [0, 1, 2]) await query(sequelize, { ...statement, values: [id] });
  const sql =
    "SELECT generic_plans + custom_plans AS runs FROM pg_prepared_statements WHERE name = 'counted'";
  expect(await query(sequelize, { sql })).toEqual([{ runs: '3' }]);
});

test('writeAtOnce returns undefined for a change that finds another state', async () => {
  const change = {
    name: 'move thing',
    sql: 'UPDATE things SET id = $2 WHERE id = $1 RETURNING id',
  };
  expect(await writeAtOnce(sequelize, { ...change, values: [11, 21] })).toEqual({ id: 21 });
  expect(await writeAtOnce(sequelize, { ...change, values: [11, 21] })).toBeUndefined();
});

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

let ids = 0;
/** Values for a new row. */
const newThing = () => ({ id: ++ids, at: new Date('2026-11-28T10:00:00.123Z') });

describe.each([
  { kind: 'a statement without a name', named: {} },
  { kind: 'a prepared statement', named: { name: 'insert thing' } },
])('$kind', ({ named }) => {
  test('returns its rows with their types', async () => {
    const { id, at } = newThing();
    expect(await query(sequelize, { ...named, sql: insert, values: [id, at] })).toEqual([{ id, at }]);
  });

  test('belongs to its transaction', async () => {
    const { id, at } = newThing();
    const rolledBack = sequelize.transaction(async (transaction) => {
      await query(sequelize, { ...named, sql: insert, values: [id, at], transaction });
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await idsOf()).not.toContain(id);
  });

  test('reports the constraint that it violates', async () => {
    const { id, at } = newThing();
    const insertThing = () => query(sequelize, { ...named, sql: insert, values: [id, at] });
    await insertThing();
    const error = await insertThing().catch((failure) => failure);
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

test('writeAtOnce returns undefined if a change finds an unexpected state', async () => {
  const [from, to] = [newThing(), newThing()];
  await query(sequelize, { sql: insert, values: [from.id, from.at] });
  const move = {
    name: 'move thing',
    sql: 'UPDATE things SET id = $2 WHERE id = $1 RETURNING id',
    values: [from.id, to.id],
  };
  expect(await writeAtOnce(sequelize, move)).toEqual({ id: to.id });
  expect(await writeAtOnce(sequelize, move)).toBeUndefined();
});

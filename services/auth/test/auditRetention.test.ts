import { createLogger } from '@gradeway/shared/process/logger';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import { QueryTypes, Sequelize } from 'sequelize';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countExpiredEntries, scheduleAuditRetention } from '../src/data/auditRetention.ts';

const dayMs = 86_400_000;

let database: TestDatabase;
let sequelize: Sequelize;
beforeAll(async () => {
  database = await createTestDatabase();
  sequelize = new Sequelize(database.url('auth'), { logging: false });
});
afterAll(async () => {
  await sequelize.close();
  await database.drop();
});

/** Runs a statement with the role of auth. */
const rows = (sql: string) => sequelize.query<{ count: number }>(sql, { type: QueryTypes.SELECT });

const addEntries = (count: number, age: string) =>
  sequelize.query(
    `INSERT INTO audit.entries (entry_id, at, actor_id, address, action, object_type, object_id, changes)
     SELECT gen_random_uuid(), now() - $1::interval, 7, '192.0.2.7', 'user.updated', 'user', '7',
       '{"email": [null, "ada@test.example"]}'
     FROM generate_series(1, ${count})`,
    { bind: [age] },
  );
const countEntries = async () =>
  (await rows('SELECT count(*)::integer AS count FROM audit.entries'))[0]?.count;

describe("auth's permissions on the audit log", () => {
  test.each([
    'UPDATE audit.entries SET changes = NULL',
    'DELETE FROM audit.entries',
    'TRUNCATE audit.entries',
    'DROP TABLE audit.entries',
    'ALTER TABLE audit.entries DISABLE TRIGGER ALL',
    'GRANT ALL ON audit.entries TO gradeway_auth',
  ])('the role of auth cannot run %s', async (sql) => {
    await addEntries(1, '1 day');
    const before = await countEntries();
    await sequelize.query(sql).catch((error) => expect(error.original.code).toBe('42501'));
    // A GRANT without the required privilege only warns.
    await expect(sequelize.query('DELETE FROM audit.entries')).rejects.toThrow('permission denied');
    expect(await countEntries()).toBe(before);
  });

  test('an erasure clears the personal data in entries and keeps the entries', async () => {
    await addEntries(2, '1 day');
    const before = await countEntries();
    await sequelize.query('SELECT audit.erase_person(7)');
    expect(await countEntries()).toBe(before);
    expect(
      await rows(
        "SELECT 1 FROM audit.entries WHERE object_id = '7' AND (changes IS NOT NULL OR address IS NOT NULL)",
      ),
    ).toEqual([]);
  });

  test('entries of the last 90 days cannot be deleted, regardless of what auth requests', async () => {
    await expect(
      sequelize.query("SELECT audit.delete_before(now() - interval '89 days', 10)"),
    ).rejects.toThrow('entries of the last 90 days cannot be deleted');
  });
});

test('entries past their retention are counted by a dry run, then all deleted', async () => {
  await addEntries(2_500, '400 days');
  await addEntries(1, '300 days');
  const recent = Number(await countEntries()) - 2_500;
  expect(await countExpiredEntries(sequelize, 365 * dayMs)).toBe(2_500);
  const log = createLogger('test', 'silent');
  const stop = scheduleAuditRetention({ sequelize, retentionAuditLog: 365 * dayMs, log });
  await waitFor(async () => (await countEntries()) === recent);
  await stop();
});

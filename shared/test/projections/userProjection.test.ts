import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { userState } from '@gradeway/test/userEvents';
import type { Sequelize } from 'sequelize';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction, openDatabase } from '../../src/database/connection.ts';
import type { UserState } from '../../src/events/catalog.ts';
import { createLogger } from '../../src/process/logger.ts';
import { UserProjection } from '../../src/projections/userProjection.ts';

const log = createLogger('test', 'silent');
let database: TestDatabase;
let sequelize: Sequelize;
let projection: UserProjection;

beforeAll(async () => {
  database = await createTestDatabase();
  sequelize = openDatabase({ url: database.url('quiz'), name: 'test', pool: 2 });
  const auth = { call: () => Promise.reject(new Error('unreachable')), close() {} };
  projection = new UserProjection({ sequelize, auth, log, referenced: 'SELECT 0 AS user_id WHERE false' });
});
afterAll(async () => {
  await projection.close();
  await sequelize.close();
  await database.drop();
});

const state = (user_id: number, revision: number): UserState =>
  userState({ user_id, first_name: `Name ${revision}`, revision });

const apply = (...users: UserState[]) =>
  inTransaction(sequelize, (transaction) => projection.applyChanges(users, transaction));
const names = async (...ids: number[]) =>
  (
    await database.query<{ first_name: string }>(
      'SELECT first_name FROM quiz.people WHERE user_id = ANY($1) ORDER BY user_id',
      [ids],
    )
  ).map(({ first_name }) => first_name);

test('the newest of several states of an account is kept', async () => {
  await apply(state(1, 2), state(2, 7), state(1, 3), state(1, 1));
  expect(await names(1, 2)).toEqual(['Name 3', 'Name 7']);
});

test('a state older than the stored one changes nothing, and the other states of its batch are applied', async () => {
  await apply(state(3, 5), state(4, 5));
  await apply(state(4, 6), state(3, 4));
  expect(await names(3, 4)).toEqual(['Name 5', 'Name 6']);
});

test('a deleted account has no name, and an older state does not restore it', async () => {
  await apply(state(5, 1));
  await inTransaction(sequelize, (transaction) => projection.applyDeletion(state(5, 3), transaction));
  await apply(state(5, 2));
  expect(await names(5)).toEqual(['']);
});

import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { userChanged } from '@gradeway/test/userEvents';
import { waitForLock } from '@gradeway/test/waitForLock';
import type { Sequelize } from 'sequelize';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction, openDatabase } from '../../src/database/connection.ts';
import { createEvent } from '../../src/events/cloudEvent.ts';
import { markErased, withoutErasedPeople } from '../../src/personalData/erasedPeople.ts';

let database: TestDatabase;
let sequelize: Sequelize;

beforeAll(async () => {
  database = await createTestDatabase();
  sequelize = openDatabase({ url: database.url('courses'), name: 'test', pool: 2 });
});
afterAll(async () => {
  await sequelize.close();
  await database.drop();
});

const changed = (user_id: number) =>
  userChanged({ user_id, email: 'ada@example.org', mobile: '+436601234567' });

test('events of erased people lose their personal data, and other events do not', async () => {
  await markErased(sequelize, 2, true);
  const course = {
    id: 2,
    title: 'Logic',
    description: null,
    created_at: '2026-01-01T00:00:00Z',
    revision: 1,
  };
  const courseChanged = createEvent('courses', 'course.changed.v1', 'courses/2', course);
  const events = [changed(3), changed(2), courseChanged, changed(1), changed(2)];
  const kept = await inTransaction(sequelize, (transaction) =>
    withoutErasedPeople(sequelize, events, transaction),
  );
  expect(kept.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  expect([kept[0], kept[2], kept[3]]).toEqual([events[0], events[2], events[3]]);
  for (const index of [1, 4])
    expect(kept[index]?.data).toMatchObject({
      user_id: 2,
      first_name: '',
      last_name: '',
      email: null,
      mobile: null,
    });
});

test('an erasure waits for a transaction that has read events of the person', async () => {
  const order: string[] = [];
  await inTransaction(sequelize, async (transaction) => {
    await withoutErasedPeople(sequelize, [changed(12), changed(11)], transaction);
    const erased = markErased(sequelize, 11, true).then(() => order.push('erased'));
    await waitForLock(database);
    order.push('stored');
    return { erased };
  }).then(({ erased }) => erased);
  expect(order).toEqual(['stored', 'erased']);
});

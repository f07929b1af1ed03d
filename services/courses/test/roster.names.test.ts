import { openDatabase } from '@gradeway/shared/database/connection';
import { waitForLock } from '@gradeway/test/waitForLock';
import type { Sequelize } from 'sequelize';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CoursesService, startCoursesService } from './coursesService.ts';

let courses: CoursesService;
let sequelize: Sequelize;
beforeAll(async () => {
  courses = await startCoursesService();
  sequelize = openDatabase({ url: courses.database.url('courses'), name: 'test', pool: 4 });
});
afterAll(async () => {
  await sequelize.close();
  await courses.close();
});

const insertUser = (id: number) => `INSERT INTO people VALUES (${id}, 'Ada', 'Lovelace', null, false, 1)`;
const insertRosterRow = (id: number) =>
  `INSERT INTO roster (course_id, user_id, is_graded) VALUES (1, ${id}, true)`;

// Neither transaction sees the other's uncommitted row; in both orders the name must be copied in the end.
test.each([
  ['the user is inserted first', insertUser, insertRosterRow, 1],
  ['the roster row is inserted first', insertRosterRow, insertUser, 2],
])('a name reaches the roster when %s and both transactions overlap', async (_, first, second, id) => {
  let waiting: Promise<unknown> = Promise.resolve();
  await sequelize.transaction(async (transaction) => {
    await sequelize.query(first(id), { transaction });
    waiting = sequelize.query(second(id));
    await waitForLock(courses.database);
  });
  await waiting;
  const copied = await courses.database.query('SELECT last_name FROM courses.roster WHERE user_id = $1', [
    id,
  ]);
  expect(copied).toEqual([{ last_name: 'Lovelace' }]);
});

test('the longest possible name fits the index', async () => {
  const words = (length: number) =>
    Array.from({ length }, () => String.fromCodePoint(0x10000 + Math.floor(Math.random() * 0xffff))).join('');
  // Lengths around the limit beyond which only prefixes are indexed.
  for (let length = 150; length <= 185; length += 1) {
    const bind = [1_000 + length, words(length), words(length), words(length)];
    await sequelize.query('INSERT INTO people VALUES ($1, $2, $3, $4, false, 1)', { bind });
    const enroll = 'INSERT INTO roster (course_id, user_id, is_enrolled) VALUES (2, $1, true)';
    await sequelize.query(enroll, { bind: bind.slice(0, 1) });
  }
  const stored = await courses.database.query('SELECT user_id FROM courses.roster WHERE course_id = 2');
  expect(stored).toHaveLength(36);
});

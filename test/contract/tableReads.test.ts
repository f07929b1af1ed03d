import { tableReads } from '@gradeway/test/tableReads';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personalRecords as ofCourses } from '../../services/courses/src/personalData/data/personalRecords.ts';
import { DeliveryRepository } from '../../services/courses/src/webhooks/data/deliveryRepository.ts';
import { purgeExpired } from '../../services/courses/src/webhooks/data/purgeExpired.ts';
import { gradingTables } from '../../services/quiz/src/data/gradingTables.ts';
import { personalData } from '../../services/quiz/src/data/personalData.ts';
import { primaryReads } from '../../shared/src/database/listReads.ts';
import { startOfQueue } from '../../shared/src/grading/queueOrder.ts';
import { QueueRepository } from '../../shared/src/grading/queueRepository.ts';
import { personalRecords } from '../../shared/src/submissions/personalSubmissions.ts';

// The number of rows that a statement reads must not grow with the rows of others. PostgreSQL counts them; times of
// small tables would not show a difference.

const others = 20_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await subscribe('https://others.school.example', others);
});
afterAll(() => database.drop());

async function fill(...statements: string[]): Promise<void> {
  for (const statement of [...statements, 'VACUUM ANALYZE']) await database.query(statement);
}

async function everyRecord(records: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _record of records) count += 1;
  return count;
}

const subscription = (url: string, deletedAt: string) => `
  INSERT INTO courses.webhook_subscriptions (url, event_types, secret, deleted_at)
  VALUES ('${url}', ARRAY['*'], '', ${deletedAt}) RETURNING id`;

async function subscribe(url: string, deliveries: number, deletedAt = 'NULL'): Promise<number> {
  const [row] = await database.query<{ id: number }>(subscription(url, deletedAt));
  await fill(`
    INSERT INTO courses.webhook_deliveries (subscription_id, event_id, event_type, body, status)
    SELECT ${row?.id}, gen_random_uuid(), 'quiz.submission.graded.v1', '{}', 'delivered' FROM generate_series(1, ${deliveries})`);
  return row?.id ?? 0;
}

test.each([undefined, 'delivered'] as const)(
  'a page of deliveries with status %s reads no deliveries of other pages',
  async (status) => {
    const id = await subscribe('https://registry.school.example', 1_000);
    const ofDeliveries = { database, schema: 'courses', table: 'webhook_deliveries' } as const;
    // The total reads an index or, as long as transactions are open, the table.
    const total = await tableReads({
      ...ofDeliveries,
      work: (sequelize) =>
        sequelize.query(
          `SELECT count(*) FROM webhook_deliveries WHERE subscription_id = ${id} AND status = 'delivered'`,
        ),
    });
    const page = await tableReads({
      ...ofDeliveries,
      async work(sequelize) {
        const found = await new DeliveryRepository(sequelize).page(id, status, { number: 2, size: 15 });
        expect([found.deliveries.length, found.total]).toEqual([15, 1_000]);
      },
    });
    expect(page.rows - total.rows).toBeLessThanOrEqual(30);
  },
);

test('purging a deleted subscription reads no deliveries of others', async () => {
  await subscribe('https://deleted.school.example', 10, 'now()');
  const { rows } = await tableReads({
    ...{ database, schema: 'courses', table: 'webhook_deliveries' },
    work: (sequelize) => purgeExpired(sequelize, 86_400_000),
  });
  expect(rows).toBeLessThanOrEqual(100);
});

test("reading a student's personal data reads no enrollments of others", async () => {
  await fill(`
    INSERT INTO courses.enrollment_sources (sourced_id, course_id, user_id)
    SELECT 'e' || n, n, n FROM generate_series(1, ${others}) n`);
  const { rows, searches } = await tableReads({
    ...{ database, schema: 'courses', table: 'enrollment_sources' },
    work: async (sequelize) => expect(await everyRecord(ofCourses(sequelize, 11))).toBe(1),
  });
  expect([rows, searches]).toEqual([1, 1]);
});

test("reading a student's personal data scans no submissions of others", async () => {
  const [quizzes, perQuiz] = [500, 400];
  await fill(
    `INSERT INTO quiz.quizzes (course_id, title) SELECT 1, 'Quiz ' || n FROM generate_series(1, ${quizzes}) n`,
    // Without foreign keys, so that no files are needed. With fewer rows PostgreSQL would choose a different index.
    `SET session_replication_role = replica;
     INSERT INTO quiz.submissions (quiz_id, course_id, student_id, file_id, start_at, duration_minutes, submitted_at)
     SELECT q, 1, (q * 37 + place) % 5000 + 1, q * ${perQuiz} + place, now(), 30, now() - q * interval '1 minute'
     FROM generate_series(1, ${quizzes}) q, generate_series(1, ${perQuiz}) place;
     RESET session_replication_role`,
  );
  const { searches } = await tableReads({
    ...{ database, schema: 'quiz', table: 'submissions' },
    work: (sequelize) => everyRecord(personalRecords(sequelize, personalData, 11)),
  });
  // One or two of each kind of record.
  expect(searches).toBeLessThanOrEqual(30);
});

test('a page of the queue looks up the item of each submission at most once', async () => {
  const size = 50;
  await fill(
    `INSERT INTO quiz.quizzes (id, course_id, title, release, anonymous)
     OVERRIDING SYSTEM VALUE SELECT 100000 + n, 1, 'Quiz', 'manual', true FROM generate_series(1, 500) n`,
    `INSERT INTO quiz.submissions (quiz_id, course_id, student_id, start_at, duration_minutes, submitted_at)
     SELECT 100001, 1, n, now(), 30, now() FROM generate_series(1, ${size}) n`,
  );
  const { rows, searches } = await tableReads({
    ...{ database, schema: 'quiz', table: 'quizzes' },
    async work(sequelize) {
      const queue = new QueueRepository(primaryReads(sequelize), gradingTables);
      const place = startOfQueue('arrival');
      const item = { id: 100_001, isAnonymous: true };
      const page = await queue.page(item, { status: 'all', search: '' }, place, size);
      expect(page.rows.every(({ studentName }) => studentName?.startsWith('Student '))).toBe(true);
      expect(page.rows).toHaveLength(size);
    },
  });
  expect(rows).toBeLessThanOrEqual(size);
  expect(searches).toBeLessThanOrEqual(size);
});

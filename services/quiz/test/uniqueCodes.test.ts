import { readdir } from 'node:fs/promises';
import { openMigrationDatabase } from '@gradeway/shared/database/connection';
import { migrate } from '@gradeway/shared/database/migrate';
import { createLogger } from '@gradeway/shared/process/logger';
import { openTransaction } from '@gradeway/test/openTransaction';
import { createTestDatabase } from '@gradeway/test/testDatabase';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGrader, newQueue } from './graders.ts';
import { makeAnonymous } from './items.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const codesOf = async (quizId: number): Promise<string[]> => {
  const sql = 'SELECT code FROM quiz.submissions WHERE quiz_id = $1 ORDER BY id';
  return (await quiz.database.query<{ code: string }>(sql, [quizId])).map(({ code }) => code);
};

/** Runs `work` while every new code is one of these. */
async function withCodes(codes: string[], work: () => Promise<void>): Promise<void> {
  const define = (body: string) =>
    quiz.database.query(
      `CREATE OR REPLACE FUNCTION quiz.random_code() RETURNS text LANGUAGE sql VOLATILE ${body}`,
    );
  const [original] = await quiz.database.query<{ body: string }>(
    "SELECT pg_get_function_sqlbody('quiz.random_code'::regproc) AS body",
  );
  const list = codes.map((code) => `'${code}'`).join(', ');
  await define(`RETURN (ARRAY[${list}])[1 + floor(random() * ${codes.length})::integer]`);
  await work().finally(() => define(original?.body ?? ''));
}

// Among that many random codes, about a dozen pairs are expected to be equal.
test('no two of thousands of submissions for a quiz have the same code', async () => {
  const { quizId } = await newQueue(quiz, 5_000);
  const codes = await codesOf(quizId);
  expect(new Set(codes).size).toBe(5_000);
  expect(codes.every((code) => /^[2-9A-HJ-NP-Z]{4}$/.test(code))).toBe(true);
});

test('graders see a different name for each submission even when few codes are left', async () => {
  await withCodes(['AAAA', 'BBBB', 'CCCC'], async () => {
    const queue = await newQueue(quiz, 3);
    await makeAnonymous(quiz, queue);
    const { body } = await newGrader(quiz, queue.courseId).get(`${queue.path}/submissions`);
    const names = body.data.map(({ student }: { student: { name: string } }) => student.name);
    expect(names.toSorted()).toEqual(['Student AAAA', 'Student BBBB', 'Student CCCC']);
  });
});

test('an upload does not wait for another one in progress, and gets a different code', async () => {
  const [taken, free] = ['AAAA', ['BBBB', 'CCCC']];
  await withCodes([...Array<string>(50).fill(taken), ...free], async () => {
    const scene = await quiz.setUp();
    const other = await openTransaction(quiz.database.url('quiz'));
    try {
      const insert = `
        INSERT INTO submissions (quiz_id, course_id, student_id, start_at, duration_minutes, submitted_at, code)
        VALUES ($1, $2, 900000, now(), 30, now(), $3)`;
      await other.query(insert, [scene.quizId, scene.courseId, taken]);
      expect((await quiz.upload(scene)).status).toBe(200);
      await other.query('COMMIT');
    } finally {
      await other.end();
    }
    const codes = await codesOf(scene.quizId);
    expect([codes[0], free.includes(codes[1] ?? '')]).toEqual([taken, true]);
  });
});

test('all but the first of several existing submissions with the same code get a new code', async () => {
  const database = await createTestDatabase();
  const sequelize = openMigrationDatabase({ url: database.url('quiz'), name: 'test' });
  try {
    const folder = new URL('../migrations/', import.meta.url);
    const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
    const log = createLogger('test', 'silent');
    await migrate(sequelize, folder, log, { only: files.filter((name) => name < '0021') });
    await database.query(`
      INSERT INTO quiz.quizzes (course_id, title) VALUES (1, 'One'), (1, 'Two');
      INSERT INTO quiz.submissions (quiz_id, course_id, student_id, start_at, duration_minutes, submitted_at, code)
      SELECT quiz, 1, n, now(), 30, now(), CASE WHEN n <= 3 THEN 'AAAA' ELSE 'BBBB' END
      FROM generate_series(1, 2) quiz, generate_series(1, 4) n ORDER BY quiz, n`);
    await migrate(sequelize, folder, log);
    const rows = await database.query<{ quiz_id: number; codes: string[] }>(
      'SELECT quiz_id, array_agg(code ORDER BY id) AS codes FROM quiz.submissions GROUP BY 1 ORDER BY 1',
    );
    for (const { codes } of rows) {
      expect([codes[0], codes[3], new Set(codes).size]).toEqual(['AAAA', 'BBBB', 4]);
    }
    expect(rows).toHaveLength(2);
  } finally {
    await sequelize.close();
    await database.drop();
  }
});

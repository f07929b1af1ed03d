import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { createHttpClient } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const published = async (quizId: number) =>
  (
    await quiz.database.query<{ data: unknown }>(
      `SELECT body->'data' AS data FROM quiz.outbox
       WHERE type = 'quiz.changed.v1' AND body->'data'->>'id' = $1 ORDER BY position`,
      [String(quizId)],
    )
  ).map(({ data }) => data);
const change = (quizId: number, fields: Record<string, string>) =>
  quiz.patch(`/api/v3/quiz/pdf-quizzes/${quizId}`, fields);

test('a quiz publishes its state with increasing revisions when it is created, changed and deleted', async () => {
  const { quizId, courseId } = await quiz.setUp({ title: 'Before' });
  const created = {
    ...{ id: quizId, course_id: courseId, title: 'Before', total_grade: null, revision: 1 },
    ...{ published: true, opens_at: null, closes_at: null, late: null, anonymous: false, is_deleted: false },
  };
  const [first] = await published(quizId);
  expect(first).toEqual({
    ...created,
    created_at: expect.any(String),
    released_at: expect.any(String),
  });
  await change(quizId, { title: 'Before' });
  await change(quizId, { title: 'After' });
  await change(quizId, { closes_at: '2030-01-02T03:04:05Z' });
  const admin = createHttpClient({ baseUrl: quiz.service.url, token: quiz.admin });
  await admin.delete(`/api/v3/quiz/pdf-quizzes/${quizId}`);
  expect(await published(quizId)).toMatchObject([
    created,
    { title: 'After', revision: 2 },
    { closes_at: '2030-01-02T03:04:05.000Z', revision: 3, is_deleted: false },
    { title: 'After', revision: 4, is_deleted: true },
  ]);
});

test('rebuildProjections publishes every quiz again, including deleted ones, whose grades remain', async () => {
  const [kept, deleted] = [await quiz.setUp({ title: 'Kept' }), await quiz.setUp({ title: 'Deleted' })];
  const admin = createHttpClient({ baseUrl: quiz.service.url, token: quiz.admin });
  expect((await admin.delete(`/api/v3/quiz/pdf-quizzes/${deleted.quizId}`)).status).toBe(204);
  await quiz.database.query("DELETE FROM quiz.outbox WHERE type = 'quiz.changed.v1'");
  await quiz.database.query(
    `INSERT INTO quiz.submissions
       (quiz_id, course_id, student_id, start_at, duration_minutes, submitted_at, submitted_by, state_revision)
     VALUES ($1, $2, 7, now(), 30, '2026-03-05T09:00:00.123Z', 1, 3)`,
    [kept.quizId, kept.courseId],
  );
  await quiz.database.query(
    'INSERT INTO quiz.allowances (item_id, student_id, extra_minutes, changed_by, revision) VALUES ($1, 7, 30, 1, 2)',
    [kept.quizId],
  );
  const file = fileURLToPath(new URL('../dist/command.js', import.meta.url));
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: quiz.database.url('quiz'),
    EVENTS_URL: quiz.database.url('broker'),
    SERVICE_SECRET: serviceSecret,
    FILE_URL_SECRET: 'a test secret for files',
    AUTH_GRPC: quiz.peers.authGrpc,
    COURSES_GRPC: quiz.peers.coursesGrpc,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [file, 'rebuildProjections'], { env });
  expect(stdout).toMatch(
    /^quiz: \d+ names loaded, 0 grades, \d+ quizzes, 1 submissions and 1 allowances republished\n$/,
  );
  expect(await published(kept.quizId)).toMatchObject([{ title: 'Kept' }]);
  expect(await published(deleted.quizId)).toMatchObject([{ title: 'Deleted', is_deleted: true }]);
  const dataOf = async (type: string) =>
    (
      await quiz.database.query<{ data: object }>(
        "SELECT body->'data' AS data FROM quiz.outbox WHERE type = $1",
        [type],
      )
    ).map(({ data }) => data);
  const about = { course_id: kept.courseId, student_id: 7 };
  expect(await dataOf('quiz.submission.lateness.changed.v1')).toEqual([
    {
      ...about,
      submission_id: expect.any(Number),
      quiz_id: kept.quizId,
      submitted_at: '2026-03-05T09:00:00.123Z',
      late_waived: true,
      state_revision: 3,
    },
  ]);
  expect(await dataOf('quiz.allowance.changed.v1')).toMatchObject([
    { ...about, item_id: kept.quizId, extra_minutes: 30, is_removed: false, revision: 2 },
  ]);
});

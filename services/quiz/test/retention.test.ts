import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuizService, startQuizService } from './quizService.ts';

const retention = { RETENTION_REPLACED_FILES: '30d', RETENTION_FINISHED_COURSES: '365d' };
let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService(retention);
});
afterAll(() => quiz.close());

/** Runs the command that counts, with the settings of the service. */
function countExpired(): Promise<string> {
  const script = fileURLToPath(new URL('../dist/command.js', import.meta.url));
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: quiz.database.url('quiz'),
    EVENTS_URL: quiz.database.url('broker'),
    SERVICE_SECRET: serviceSecret,
    FILE_URL_SECRET: 'a test secret for files',
    ...retention,
  };
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(process.execPath, [script, 'countExpired'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('close', () => resolve(output));
  });
}

test('files past their retention are counted by a dry run, then deleted, and grades and other files stay', async () => {
  const [replaced, finished, kept] = [await quiz.setUp(), await quiz.setUp(), await quiz.setUp()];
  for (const scene of [replaced, finished, kept])
    for (const _ of [1, 2]) expect((await quiz.upload(scene)).status).toBe(200);
  const sheetsOf = async (studentId: number) => {
    const [row] = await quiz.database.query<{ current: number; replaced: number }>(
      `SELECT count(s.file_id)::int AS current, count(r.file_id)::int AS replaced
       FROM quiz.submissions s LEFT JOIN quiz.replaced_sheets r ON r.submission_id = s.id
       WHERE s.student_id = $1`,
      [studentId],
    );
    return [row?.current, row?.replaced];
  };
  await quiz.database.query(
    `UPDATE quiz.replaced_sheets r SET replaced_at = now() - interval '31 days'
     FROM quiz.submissions s WHERE s.id = r.submission_id AND s.student_id = $1`,
    [replaced.studentId],
  );
  await quiz.database.query('UPDATE quiz.submissions SET grade = 7, total_grade = 10 WHERE student_id = $1', [
    finished.studentId,
  ]);
  // The course was deleted; quiz received this more than a year ago.
  quiz.peers.courses.splice(
    quiz.peers.courses.findIndex(({ courseId }) => courseId === finished.courseId),
    1,
  );
  await quiz.database.query("INSERT INTO quiz.finished_courses VALUES ($1, now() - interval '366 days')", [
    finished.courseId,
  ]);
  const before = await quiz.storedFiles();

  const counted = await countExpired();
  expect(counted).toContain('quiz: 1 replaced files would be deleted');
  expect(counted).toContain('quiz: 2 files of finished courses would be deleted');
  expect(await quiz.storedFiles()).toBe(before);

  quiz.service.kill('SIGKILL');
  await quiz.service.start();
  await waitFor(async () => (await quiz.storedFiles()) === before - 3);
  expect(await sheetsOf(replaced.studentId)).toEqual([1, 0]);
  expect(await sheetsOf(finished.studentId)).toEqual([0, 0]);
  expect(await sheetsOf(kept.studentId)).toEqual([1, 1]);
  const [graded] = await quiz.database.query<{ grade: string }>(
    'SELECT grade::float8 AS grade FROM quiz.submissions WHERE student_id = $1',
    [finished.studentId],
  );
  expect(graded).toEqual({ grade: 7 });
});

test('retention applies to the current course of a quiz, so a moved quiz keeps its sheets', async () => {
  const [moved, left] = [await quiz.setUp(), await quiz.setUp()];
  expect((await quiz.upload(moved)).status).toBe(200);
  // An earlier version allowed this.
  await quiz.database.query('UPDATE quiz.quizzes SET course_id = $1 WHERE id = $2', [
    left.courseId,
    moved.quizId,
  ]);
  const deleteCourse = async (id: number) => {
    quiz.peers.courses.splice(
      quiz.peers.courses.findIndex(({ courseId }) => courseId === id),
      1,
    );
    await quiz.database.query("INSERT INTO quiz.finished_courses VALUES ($1, now() - interval '366 days')", [
      id,
    ]);
  };
  await deleteCourse(moved.courseId);
  const expired = /quiz: (\d+) files of finished courses/;
  expect(expired.exec(await countExpired())?.[1]).toBe('0');
  await deleteCourse(left.courseId);
  expect(expired.exec(await countExpired())?.[1]).toBe('1');
  const before = await quiz.storedFiles();
  quiz.service.kill('SIGKILL');
  await quiz.service.start();
  await waitFor(async () => (await quiz.storedFiles()) === before - 1);
});

test('one run of the housekeeping deletes all old events and removed files', async () => {
  await quiz.database.query(
    `INSERT INTO quiz.outbox (event_id, type, body, sent_at)
     SELECT gen_random_uuid(), 'quiz.submission.submitted.v1', '{}', now() - interval '8 days'
     FROM generate_series(1, 2500) n`,
  );
  await quiz.database.query(
    `INSERT INTO quiz.files (key, name, size, sha256, crc32, attached_at, removed_at)
     SELECT 'removed-' || n, 'a.pdf', 1, 'x', 0, now(), now() FROM generate_series(1, 1200) n`,
  );
  quiz.service.kill('SIGKILL');
  await quiz.service.start();
  const left = async (sql: string) =>
    (await quiz.database.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${sql}`))[0]?.count;
  await waitFor(async () => (await left("quiz.outbox WHERE sent_at < now() - interval '7 days'")) === 0);
  await waitFor(async () => (await left('quiz.files WHERE removed_at IS NOT NULL')) === 0);
});

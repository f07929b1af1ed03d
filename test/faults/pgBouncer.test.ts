import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '@gradeway/test/httpClient';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '@gradeway/test/pgBouncer';
import { waitFor } from '@gradeway/test/waitFor';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { type CoursesService, startCoursesService } from '../../services/courses/test/coursesService.ts';
import { type QuizService, startQuizService } from '../../services/quiz/test/quizService.ts';

if (!hasPgBouncer && process.env.CI) throw new Error('CI needs PgBouncer: these tests may not be skipped');
if (!hasPgBouncer)
  console.warn(
    '\n*** No PgBouncer 1.21 or later (test/thirdParty/pgbouncer builds one): its tests are SKIPPED ***\n',
  );

// Fewer server connections than requests at once.
const poolSize = 2;
const clientsAtOnce = 8;
// PgBouncer sets these for each client; every Sequelize connection sets the last one too, to the same value.
const sameForAll = [
  'client_encoding',
  'DateStyle',
  'TimeZone',
  'standard_conforming_strings',
  'application_name',
  'client_min_messages',
];
// Statements that were in progress, and connections whose end the service has not noticed yet.
const noticedMs = 500;

describe.skipIf(!hasPgBouncer)('services with PgBouncer in transaction mode', () => {
  let pooler: PgBouncer;
  let quiz: QuizService;
  let courses: CoursesService;
  beforeAll(async () => {
    const postgresPort = Number(new URL(inject('postgresUrl')).port);
    pooler = await startPgBouncer({ postgresPort, settings: { default_pool_size: poolSize } });
    quiz = await startQuizService(async ({ url }) => ({ DATABASE_URL: pooler.url(url('quiz')) }));
    courses = await startCoursesService(async ({ url }) => ({ DATABASE_URL: pooler.url(url('courses')) }));
  });
  afterAll(async () => {
    await quiz?.close();
    await courses?.close();
    await pooler?.stop();
  });

  const expectOk = (answer: { status: number }) => expect(answer.status).toBe(200);
  const readList = () => quiz.get('/api/v3/quiz/pdf-quizzes', quiz.admin);
  const stored = async () => {
    const [row] = await quiz.database.query<{ count: number }>('SELECT count(*)::int FROM quiz.submissions');
    return row?.count ?? 0;
  };

  test('concurrent uploads, lists and gradings get their own results with two connections to PostgreSQL', async () => {
    const scenes = await Promise.all(Array.from({ length: clientsAtOnce }, () => quiz.setUp()));
    let most = 0;
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        const sql = `SELECT count(*)::int FROM pg_stat_activity WHERE usename = 'gradeway_quiz' AND datname = current_database()`;
        const [row] = await quiz.database.query<{ count: number }>(sql);
        most = Math.max(most, row?.count ?? 0);
      }
    })();
    const grades = await Promise.all(
      scenes.map(async (scene, index) => {
        expectOk(await quiz.upload(scene));
        expectOk(await readList());
        const [row] = await quiz.database.query<{ id: number }>(
          'SELECT id FROM quiz.submissions WHERE quiz_id = $1',
          [scene.quizId],
        );
        const grade = { grade: index, total_grade: 20 };
        expectOk(await quiz.post(`/api/v3/quiz/pdf-quizzes/grade/${row?.id}`, quiz.admin, grade));
        return [scene.quizId, index];
      }),
    );
    isOver = true;
    await watching;

    const { data } = (await readList()).body as {
      data: { id: number; submissions: { grade: number }[] }[];
    };
    const listed = new Map(data.map(({ id, submissions }) => [id, submissions.map(({ grade }) => grade)]));
    for (const [quizId, grade] of grades) expect(listed.get(quizId ?? 0)).toEqual([grade]);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(poolSize);
    const connected = await pooler.show<{ user: string }>('CLIENTS');
    expect(connected.filter(({ user }) => user === 'gradeway_quiz').length).toBeGreaterThan(poolSize);
  });

  test('lists of students whose queries share connections contain only students of their course', async () => {
    const courseIds = await Promise.all(Array.from({ length: 4 }, () => courses.createCourse()));
    for (const id of courseIds)
      for (const name of ['Ada', 'Bea'])
        await courses.createStudent(id, { firstName: name, lastName: String(id) });
    const read = async (courseId: number) => {
      const path = `/api/v3/admin/courses/${courseId}/students`;
      const answer = await courses.get<{ data: { name: string }[] }>(path);
      expect(answer.body.data.map(({ name }) => name)).toEqual([`Ada ${courseId}`, `Bea ${courseId}`]);
    };
    await Promise.all(
      Array.from({ length: 16 }, async (_, index) => {
        for (let number = 0; number < 20; number += 1) await read(courseIds[(index + number) % 4] ?? 0);
      }),
    );
  });

  test('no setting of a request remains on a server connection', async () => {
    expectOk(await readList());
    // A transaction on each of them.
    const clients = Array.from({ length: poolSize }, () => {
      const client = new Client({ connectionString: pooler.url(quiz.database.url('quiz')) });
      client.on('error', () => {});
      onTestFinished(() => client.end());
      return client;
    });
    for (const client of clients) {
      await client.connect();
      await client.query('BEGIN');
    }
    for (const client of clients) {
      const changed = `SELECT name, setting FROM pg_settings WHERE source = 'session' AND name <> ALL ($1)`;
      expect((await client.query(changed, [sameForAll])).rows).toEqual([]);
      const locks = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`;
      expect((await client.query(locks)).rows).toEqual([]);
      expect((await client.query('SELECT pg_listening_channels()')).rows).toEqual([]);
    }
  });

  test('a restart of PgBouncer delays requests, and loses no submission', async () => {
    const scenes = await Promise.all(Array.from({ length: 80 }, () => quiz.setUp()));
    const before = await stored();
    const answers: { sentAt: number; status: number; isUpload: boolean }[] = [];
    let isOver = false;
    const send = async (isUpload: boolean, request: () => Promise<Answer>) => {
      const sentAt = Date.now();
      const { status } = await request();
      answers.push({ sentAt, status, isUpload });
    };
    const reader = async () => {
      for (; !isOver; await sleep(5)) await send(false, readList);
    };
    const uploader = async () => {
      for (let scene = scenes.pop(); scene && !isOver; scene = scenes.pop()) {
        const own = scene;
        await send(true, () => quiz.upload(own));
        await sleep(50);
      }
    };
    const clients = [...Array.from({ length: 6 }, reader), ...Array.from({ length: 2 }, uploader)];
    await waitFor(() => answers.length > 30);

    const killedAt = Date.now();
    await pooler.kill();
    // This delay is deliberate: how long PgBouncer is down.
    await sleep(2_000);
    const startedAt = Date.now();
    await pooler.start();
    await waitFor(() => answers.filter(({ sentAt }) => sentAt > startedAt).length > 30);
    isOver = true;
    await Promise.all(clients);

    const failed = answers.filter(({ status }) => status !== 200);
    expect(failed.filter(({ sentAt }) => sentAt > killedAt + noticedMs)).toEqual([]);
    const acknowledged = answers.filter(({ isUpload, status }) => isUpload && status === 200).length;
    expect(acknowledged).toBeGreaterThan(0);
    const unknown = failed.filter(({ isUpload }) => isUpload).length;
    const added = (await stored()) - before;
    expect(added).toBeGreaterThanOrEqual(acknowledged);
    expect(added).toBeLessThanOrEqual(acknowledged + unknown);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { holdTable } from '@gradeway/test/holdTable';
import { scrape } from '@gradeway/test/metrics';
import { exponentialPageTree } from '@gradeway/test/pdfBombs';
import { startSlowUpload } from '@gradeway/test/slowUpload';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type QuizService, type Scene, startQuizService } from './quizService.ts';

const list = '/api/v3/quiz/pdf-quizzes';

let quiz: QuizService;
const start = (env: Record<string, string>) => async () => {
  quiz = await startQuizService(env);
};
const stop = () => quiz.close();
const waiting = async () => (await scrape(quiz.service.adminUrl)).value('gradeway_uploads_waiting') ?? 0;

/** Adds another student to the course of a scene. */
async function addStudent(scene: Scene, studentId: number): Promise<Scene> {
  quiz.peers.enrollments.set(`${studentId}/${scene.courseId}`, { paid: true });
  return { ...scene, studentId, student: quiz.tokens.sign(studentId, 'user') };
}

describe('uploads beyond UPLOADS_AT_ONCE', () => {
  beforeAll(start({ UPLOADS_AT_ONCE: '1', PDF_CHECK_CPU_SECONDS: '9' }));
  afterAll(() => stop());

  test('uploads beyond UPLOADS_AT_ONCE wait, and are evaluated as of the time they arrived (D25, D67)', async () => {
    const closesAt = new Date(Date.now() + 6_000).toISOString().slice(0, 19);
    const scene = await quiz.setUp({ closes_at: `${closesAt}Z` });
    const blocker = await quiz.setUp();
    // The PDF check of this file takes all of its CPU time.
    const first = quiz.upload(blocker, { file: new Blob([exponentialPageTree()]) });
    await waitFor(async () => (await quiz.uploadsInFlight()) === 0 && (await quiz.storedFiles()) > 0);
    const others = await Promise.all([501, 502, 503].map((id) => addStudent(scene, id)));
    const uploads = others.map((other) => quiz.upload(other));
    await waitFor(async () => (await waiting()) === 3);
    // Read requests do not wait for them.
    expect((await quiz.get(list, quiz.admin)).status).toBe(200);
    expect(await waiting()).toBe(3);
    await waitFor(() => Date.now() > new Date(`${closesAt}Z`).getTime() + 1_000);
    expect((await first).status).toBe(422);
    expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const late = await quiz.upload(await addStudent(scene, 504));
    expect([late.status, late.body.message]).toEqual([403, 'QuizDurationExpired']);
  });

  test('uploads beyond UPLOADS_AT_ONCE do not wait for a client that sends slowly', async () => {
    const scene = await quiz.setUp();
    const slow = startSlowUpload({
      url: `${quiz.service.url}/api/v3/quiz/submit-pdf`,
      token: scene.student,
      field: 'file',
      fields: { course_id: String(scene.courseId), quiz_id: String(scene.quizId) },
      bytes: 100_000,
    });
    await slow.send('%PDF-1.7');
    await waitFor(async () => (await quiz.uploadsInFlight()) === 1);
    expect((await quiz.upload(await quiz.setUp())).status).toBe(200);
    slow.abort();
    await waitFor(async () => (await quiz.uploadsInFlight()) === 0);
  });
});

describe('the connections to the database', () => {
  let release: (() => Promise<void>) | undefined;
  afterEach(async () => {
    await release?.();
    release = undefined;
    await stop();
  });

  test('uploads do not use all connections to the database (D67)', async () => {
    await start({ DATABASE_POOL: '4' })();
    const scenes = await Promise.all(Array.from({ length: 6 }, () => quiz.setUp()));
    release = await holdTable(quiz.database.url('quiz'), 'files');
    const uploads = scenes.map((scene) => quiz.upload(scene));
    const blocked = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await waitFor(async () => (await quiz.database.query(blocked)).length === 2);
    expect((await quiz.get(list, quiz.admin)).status).toBe(200);
    expect((await quiz.database.query(blocked)).length).toBe(2);
    await release();
    release = undefined;
    await Promise.all(uploads);
  });

  test('an upload waits for a database connection for as long as others are using them', async () => {
    await start({ DATABASE_POOL: '1' })();
    const scene = await quiz.setUp();
    release = await holdTable(quiz.database.url('quiz'), 'quiz_total');
    const reading = quiz.get(list, quiz.admin);
    const pending = 'db_client_connection_pending_requests';
    const uploading = quiz.upload(scene);
    await waitFor(async () => ((await scrape(quiz.service.adminUrl)).value(pending) ?? 0) > 0);
    // This delay is deliberate: longer than other requests wait for a connection, shorter than the limit of the lock.
    await sleep(3_400);
    await release();
    release = undefined;
    await reading;
    expect((await uploading).status).toBe(200);
  });
});

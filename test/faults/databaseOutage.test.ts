import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseProxy, startDatabaseProxy } from '@gradeway/test/databaseProxy';
import type { Answer } from '@gradeway/test/httpClient';
import { scrape } from '@gradeway/test/metrics';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type QuizService, startQuizService } from '../../services/quiz/test/quizService.ts';

const list = '/api/v3/quiz/pdf-quizzes';
// Statements that were in progress, and connections whose end the service has not noticed yet.
const noticedMs = 500;

let quiz: QuizService;
let postgres: DatabaseProxy;

const start =
  (env: Record<string, string> = {}) =>
  async () => {
    quiz = await startQuizService(async (database) => {
      postgres = await startDatabaseProxy(database.url('quiz'));
      return { ...env, DATABASE_URL: postgres.url };
    });
  };
const stop = async () => {
  await postgres?.restore();
  await quiz?.close();
  postgres?.close();
};
const read = () => quiz.get(list, quiz.admin);

describe('a database that is unavailable for a few seconds', () => {
  beforeAll(start());
  afterAll(stop);

  test('a database outage of a few seconds delays the reads and uploads that begin during it, and fails none of them', async () => {
    const answers: { sentAt: number; status: number }[] = [];
    let isOver = false;
    const repeat = async (send: () => Promise<Answer>) => {
      while (!isOver) {
        const sentAt = Date.now();
        const { status } = await send();
        answers.push({ sentAt, status });
        await sleep(5);
      }
    };
    const scenes = await Promise.all(Array.from({ length: 4 }, () => quiz.setUp()));
    const clients = [
      ...Array.from({ length: 12 }, () => repeat(read)),
      ...scenes.map((scene) => repeat(() => quiz.upload(scene))),
    ];
    await waitFor(() => answers.length > 50);

    const cutAt = Date.now();
    postgres.refuse();
    // These delays are deliberate: how long the server is down, and how long it takes to start.
    await sleep(3_000);
    await postgres.startUp();
    await sleep(2_000);
    const restoredAt = Date.now();
    await postgres.restore();
    await waitFor(() => answers.filter(({ sentAt }) => sentAt > restoredAt).length > 50);
    isOver = true;
    await Promise.all(clients);

    const failed = answers.filter(({ status }) => status !== 200);
    expect(failed.filter(({ sentAt }) => sentAt > cutAt + noticedMs)).toEqual([]);
    // Each client had at most one request in progress when the connections were cut, and few sent another before the
    // service had noticed.
    expect(failed.length).toBeLessThanOrEqual(2 * clients.length);
  });
});

const pending = async () =>
  (await scrape(quiz.service.adminUrl)).value('db_client_connection_pending_requests') ?? 0;

describe('an unavailable database', () => {
  beforeAll(start({ DATABASE_WAIT: '60s' }));
  afterAll(stop);

  test('an unavailable database makes its service not ready, and the waiting requests are counted', async () => {
    postgres.refuse();
    const reads: Promise<Answer>[] = [];
    await waitFor(async () => {
      // A request on a connection whose end the service has not noticed fails at once, so more than three may be
      // needed.
      reads.push(read());
      await sleep(50);
      return (await pending()) >= 3;
    });
    const { status, body } = await quiz.get('/readyz', '');
    expect([status, body.missing]).toEqual([503, ['database']]);
    await postgres.restore();
    const statuses = (await Promise.all(reads)).map((answer) => answer.status);
    expect(statuses.filter((each) => each === 200).length).toBeGreaterThanOrEqual(3);
    expect(statuses.filter((each) => each !== 200 && each !== 503)).toEqual([]);
  });
});

describe('a database that is unavailable for longer', () => {
  beforeAll(start({ DATABASE_WAIT: '2s' }));
  afterAll(stop);

  test('requests get 503 during a longer database outage, at first after a wait, then immediately', async () => {
    postgres.refuse();
    const { status, headers, body } = await read();
    expect([status, body]).toEqual([503, { message: 'Service Unavailable', errors: null }]);
    expect(headers.get('retry-after')).toBeTruthy();
    // If each waited, they would take longer than the limit of this test.
    for (let request = 0; request < 60; request += 1) expect((await read()).status).toBe(503);
    await postgres.restore();
    await waitFor(async () => (await read()).status === 200);
  }, 100_000);

  test('requests wait again in the next database outage', async () => {
    expect((await read()).status).toBe(200);
    postgres.refuse();
    await sleep(noticedMs);
    const waiting = read();
    await waitFor(async () => (await pending()) > 0);
    await postgres.restore();
    expect((await waiting).status).toBe(200);
  });
});

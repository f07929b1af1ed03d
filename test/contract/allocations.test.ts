import { allocatedFor } from '@gradeway/test/allocations';
import { createHttpClient } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type QuizThroughGateway, startQuizThroughGateway } from './quizThroughGateway.ts';

/*
 * The memory that hot paths allocate determines how often V8 collects garbage. It varies by a tenth from run to run, not with the
 * speed of the machine. The limits are a fifth above the measured values. That finds another path or layer, such as a small request
 * that http-proxy-middleware forwards; it does not find a single further object for each request.
 */

let system: QuizThroughGateway;
beforeAll(async () => {
  // A large young generation is seldom collected while it is measured.
  const env = { NODE_OPTIONS: '--max-semi-space-size=64', RATE_LIMIT_PER_MINUTE: '0' };
  system = await startQuizThroughGateway(env);
});
afterAll(() => system?.close());

// Until V8 has compiled the code: its compilers leave out some allocations.
const warmUps = 700;
const calls = 50;

/** The kilobytes that gateway and quiz allocate for each call. */
async function allocatedBy(send: () => Promise<{ status: number }>) {
  const sendOnce = async () => expect((await send()).status).toBe(200);
  for (let call = 0; call < warmUps; call += 1) await sendOnce();
  const kilobytesOf = async ({ adminUrl }: { adminUrl: string }) =>
    (await allocatedFor(adminUrl, { calls, send: sendOnce })) / 1000;
  return { gateway: await kilobytesOf(system.gateway), quiz: await kilobytesOf(system.quiz.service) };
}

function expectAtMost(allocated: { gateway: number; quiz: number }, most: typeof allocated): void {
  for (const process of ['gateway', 'quiz'] as const) {
    expect(allocated[process], `kilobytes of ${process}`).toBeLessThan(most[process]);
    // Less than half of the limit is an improvement that the limit should follow, or a measurement that has failed.
    expect(allocated[process], `kilobytes of ${process}`).toBeGreaterThan(most[process] / 2);
  }
}

describe('kilobytes on the heap', () => {
  test('for a short list', async () => {
    const { quiz, gateway } = system;
    await quiz.setUp();
    const client = createHttpClient({ baseUrl: gateway.url, token: quiz.admin });
    const allocated = await allocatedBy(() => client.get('/api/v3/quiz/pdf-quizzes?per_page=1'));
    expectAtMost(allocated, { gateway: 55, quiz: 65 });
  });

  test('for a grading', async () => {
    const { quiz, gateway } = system;
    const scene = await quiz.setUp();
    await quiz.upload(scene);
    const { body } = await quiz.get(`/api/v3/quiz/pdf-quizzes/${scene.quizId}`, quiz.admin);
    const client = createHttpClient({ baseUrl: gateway.url, token: quiz.admin });
    const path = `/api/v3/quiz/pdf-quizzes/grade/${body.data.submissions[0].id}`;
    const allocated = await allocatedBy(() => client.post(path, { grade: 7, total_grade: 10 }));
    expectAtMost(allocated, { gateway: 60, quiz: 165 });
  });
});

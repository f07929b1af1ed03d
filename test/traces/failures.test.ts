import type { Fixtures, Scene } from '@gradeway/test/fixtures';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import type { ReceivedSpan } from '@gradeway/test/otlp';
import { serviceOf, startTraceReceiver, type TraceReceiver } from '@gradeway/test/traceReceiver';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPersonalScene, tracedFixtures } from './journeys.ts';
import { edgesOf, traceOf } from './spans.ts';

let receiver: TraceReceiver;
let system: LocalSystem;
let fixtures: Fixtures;
let scene: Scene;

beforeAll(async () => {
  receiver = await startTraceReceiver();
  system = await startLocalSystem({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_TRACES_SAMPLER_ARG: '0',
    RATE_LIMIT_PER_MINUTE: '0',
  });
  fixtures = tracedFixtures(system);
  scene = await newPersonalScene(fixtures);
});
afterAll(async () => {
  await system?.remove();
  await receiver?.close();
});

/** Runs `work` while courses hangs, and waits until quiz reaches it again. */
async function whileCoursesHangs<T>(work: () => Promise<T>): Promise<T> {
  const { pid } = await system.process('courses');
  process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    process.kill(pid, 'SIGCONT');
    await waitFor(async () => (await fixtures.submitQuiz(scene)).status === 200);
  }
}

const failure = 'POST /api/v3/quiz/submit-pdf';
const checkAccess = 'gradeway.courses.v1.CoursesService/CheckAccess';

test('with sampling at 0 the whole trace of a failed request is exported, and no other trace', async () => {
  const good = await fixtures.submitQuiz(scene);
  const refused = await scene.student.get('/api/v3/admin/users');
  const failed = await whileCoursesHangs(() => fixtures.submitQuiz(scene));
  expect([good.status, refused.status, failed.status]).toEqual([200, 403, 503]);

  const trace = await receiver.find((spans: ReceivedSpan[]) => {
    const found = traceOf(spans, failed);
    return found.some((span) => serviceOf(span) === 'quiz') ? found : undefined;
  });
  expect([...edgesOf(trace)]).toEqual(
    expect.arrayContaining([
      `client → gateway server ${failure}`,
      `gateway server ${failure} → gateway client ${failure}`,
      `gateway client ${failure} → quiz server ${failure}`,
      `quiz server ${failure} → quiz client ${checkAccess}`,
    ]),
  );
  const types = trace.filter((span) => span.failed).map((span) => [span.name, span.attributes['error.type']]);
  expect(Object.fromEntries(types)).toEqual({
    [failure]: expect.any(String),
    [checkAccess]: 'DEADLINE_EXCEEDED',
  });
  for (const request of [good, refused]) expect(traceOf(receiver.spans, request)).toEqual([]);
});

test('requests do not wait for a collector that hangs or is down, and lost spans are logged once a minute', async () => {
  const startedAt = Date.now();
  const complaints = async () =>
    (await system.log('gateway'))
      .split('\n')
      .filter((line) => line.includes('could not export spans; they are lost'));
  const exportFailure = async () => {
    const failed = await whileCoursesHangs(() => fixtures.submitQuiz(scene));
    expect(failed.status).toBe(503);
    // With each of these waiting for an export, the test would reach its limit.
    const admin = await fixtures.asAdmin();
    for (let request = 0; request < 60; request += 1)
      expect((await admin.get('/api/v3/admin/courses')).status).toBe(200);
  };
  try {
    receiver.hang();
    await exportFailure();
    await receiver.stop();
    await exportFailure();
    const lines = await waitFor(async () => {
      const found = await complaints();
      return found.length > 0 && found;
    });
    const minutes = Math.floor((Date.now() - startedAt) / 60_000);
    expect(lines.length).toBeLessThanOrEqual(1 + minutes);
  } finally {
    await receiver.resume();
  }
});

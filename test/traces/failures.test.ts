import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import type { ReceivedSpan } from '@gradeway/test/otlp';
import { serviceOf, startTraceReceiver, type TraceReceiver } from '@gradeway/test/traceReceiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Call, edgesOf, openSchool, type School, traceOf } from './journeys.ts';

let receiver: TraceReceiver;
let system: LocalSystem;
let school: School;

beforeAll(async () => {
  receiver = await startTraceReceiver();
  system = await startLocalSystem({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_TRACES_SAMPLER_ARG: '0',
    RATE_LIMIT_PER_MINUTE: '0',
  });
  school = await openSchool(system);
});
afterAll(async () => {
  await system?.remove();
  await receiver?.close();
});

/** Does something while courses is stopped in its tracks. */
async function withoutCourses<T>(work: () => Promise<T>): Promise<T> {
  const { pid } = await system.process('courses');
  process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

const failure = 'POST /api/v3/quiz/submit-pdf';
const checkAccess = 'gradeway.courses.v1.CoursesService/CheckAccess';

test('with sampling at 0 the trace of a failed request arrives whole, and nothing of the others', async () => {
  const good = await school.submitQuiz();
  const refused = await school.student.call('GET', '/api/v3/admin/users');
  const failed = await withoutCourses(school.submitQuiz);
  expect([good.status, refused.status, failed.status]).toEqual([200, 403, 503]);

  const whole = (spans: ReceivedSpan[]) => {
    const found = traceOf(spans, failed);
    return found.some((span) => serviceOf(span) === 'quiz') ? found : undefined;
  };
  const trace = await receiver.find(whole);
  expect([...edgesOf(trace)]).toEqual(
    expect.arrayContaining([
      `nobody → gateway server ${failure}`,
      `gateway server ${failure} → gateway client ${failure}`,
      `gateway client ${failure} → quiz server ${failure}`,
      `quiz server ${failure} → quiz client ${checkAccess}`,
      // What went well in the same request helps to understand it.
      `quiz server ${failure} → quiz internal check PDF`,
    ]),
  );
  const types = trace.filter((span) => span.failed).map((span) => [span.name, span.attributes['error.type']]);
  expect(Object.fromEntries(types)).toEqual({
    [failure]: expect.any(String),
    [checkAccess]: 'DEADLINE_EXCEEDED',
  });
  for (const request of [good, refused]) expect(traceOf(receiver.spans, request)).toEqual([]);
});

test('a collector that is away costs no request anything, and one log line', async () => {
  const read = () => school.admin.call('GET', '/api/v3/admin/courses');
  const median = async (request: () => Promise<Call>) => {
    const times: number[] = [];
    for (let n = 0; n < 60; n += 1) {
      const startedAt = performance.now();
      expect((await request()).status).toBe(200);
      times.push(performance.now() - startedAt);
    }
    return times.toSorted((a, b) => a - b)[30] ?? 0;
  };
  const before = await median(read);
  await receiver.close();
  // Failures are what is exported here; without a collector to take them.
  expect((await withoutCourses(school.submitQuiz)).status).toBe(503);
  expect((await withoutCourses(school.submitQuiz)).status).toBe(503);
  const after = await median(read);
  // Waiting for the collector would take seconds.
  expect(after).toBeLessThan(before * 2 + 50);

  const pid = (await system.process('gateway')).pid;
  expect(await system.stop()).toBe(0);
  const lines = (await system.log('gateway')).trim().split('\n');
  const complaints = lines.filter((line) => line.includes('tracing: spans were lost'));
  expect([pid > 0, complaints.length]).toEqual([true, 1]);
});

import type { Fixtures, Scene } from '@gradeway/test/fixtures';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { hasRabbit, type Rabbit, startRabbit } from '@gradeway/test/rabbitmq';
import { startTraceReceiver, type TraceReceiver } from '@gradeway/test/traceReceiver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPersonalScene, tracedFixtures } from './journeys.ts';
import { edgesOf, traceOf } from './spans.ts';

if (!hasRabbit && process.env.CI) throw new Error('CI needs RabbitMQ: these tests may not be skipped');
if (!hasRabbit) console.warn('\n*** RabbitMQ is not installed: the tests of its traces are SKIPPED ***\n');

describe.skipIf(!hasRabbit)('traces with RabbitMQ', () => {
  let receiver: TraceReceiver;
  let rabbit: Rabbit;
  let system: LocalSystem;
  let fixtures: Fixtures;
  let scene: Scene;
  beforeAll(async () => {
    receiver = await startTraceReceiver();
    rabbit = await startRabbit();
    system = await startLocalSystem({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      EVENTS_URL: rabbit.url,
    });
    fixtures = tracedFixtures(system);
    scene = await newPersonalScene(fixtures);
  });
  afterAll(async () => {
    await system?.remove();
    await rabbit?.stop();
    await receiver?.close();
  });

  const type = 'quiz.submission.graded.v1';
  const send = `quiz producer send learning.events:${type}`;
  const process = `courses consumer process learning.events:${type}:learning.courses`;
  const gradeSubmission = async (grade: number) => {
    const [{ id }] = await fixtures.quizSubmissions(scene.quizId);
    const admin = await fixtures.asAdmin();
    return admin.post(`/api/v3/quiz/pdf-quizzes/grade/${id}`, { grade, total_grade: 10 });
  };

  test('a grading is one trace from the gateway to the gradebook, even if the broker is down in between', async () => {
    await fixtures.submitQuiz(scene);
    const grading = await gradeSubmission(5);
    await rabbit.control('stop_app');
    const late = await gradeSubmission(6);
    await rabbit.control('start_app');

    for (const request of [grading, late]) {
      const trace = await receiver.find((spans) => {
        const found = traceOf(spans, request);
        return found.some(({ kind }) => kind === 'consumer') ? found : undefined;
      });
      const edges = [...edgesOf(trace)];
      expect(edges).toEqual(
        expect.arrayContaining([
          `quiz producer create ${type} → ${send}`,
          `${send} → ${process}`,
          `${process} → courses client WITH grades`,
        ]),
      );
      expect(edges.filter((edge) => edge.startsWith('client →'))).toHaveLength(1);
      const delivery = trace.find(({ kind }) => kind === 'consumer');
      expect(delivery?.attributes).toMatchObject({ 'messaging.system.name': 'rabbitmq' });
    }
    const begun = traceOf(receiver.spans, late).find(({ name }) => name.startsWith('create'));
    const done = traceOf(receiver.spans, late).find(({ kind }) => kind === 'consumer');
    expect(done?.startedAt).toBeGreaterThan(begun?.endedAt ?? 0n);
  });
});

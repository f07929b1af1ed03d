import { Fixtures } from '@gradeway/test/fixtures';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { hasRabbit, type Rabbit, startRabbit } from '@gradeway/test/rabbitmq';
import { waitFor } from '@gradeway/test/waitFor';
import { waitUntilRefused } from '@gradeway/test/waitUntilRefused';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

if (!hasRabbit && process.env.CI) throw new Error('CI needs RabbitMQ: these tests may not be skipped');
if (!hasRabbit) console.warn('\n*** RabbitMQ is not installed: the tests of its faults are SKIPPED ***\n');

describe.skipIf(!hasRabbit)('faults of RabbitMQ', () => {
  let rabbit: Rabbit;
  let system: LocalSystem;
  let fixtures: Fixtures;
  beforeAll(async () => {
    rabbit = await startRabbit();
    system = await startLocalSystem({ EVENTS_URL: rabbit.url, RATE_LIMIT_PER_MINUTE: '0' });
    fixtures = new Fixtures(system);
  });
  afterAll(async () => {
    await system?.remove();
    await rabbit?.stop();
  });

  /** A submission to grade, and a way to wait until the gradebook has a grade. */
  const newSubmission = async () => {
    const { quizId, student, ...ids } = await fixtures.newScene();
    await fixtures.submitQuiz({ quizId, student, ...ids });
    const [{ id }] = await fixtures.quizSubmissions(quizId);
    const admin = await fixtures.asAdmin();
    return {
      student,
      grade: (grade: number) =>
        admin.post(`/api/v3/quiz/pdf-quizzes/grade/${id}`, { grade, total_grade: 10 }),
      waitForGrade: (grade: number) =>
        waitFor(async () => (await student.get('/api/v3/grades')).body.data[0]?.grade === grade),
    };
  };

  const withoutBroker = async <T>(work: () => Promise<T>): Promise<T> => {
    await rabbit.control('stop_app');
    try {
      return await work();
    } finally {
      await rabbit.control('start_app');
    }
  };

  test('a grade reaches the gradebook through its event', async () => {
    const { grade, waitForGrade } = await newSubmission();
    expect((await grade(7)).status).toBe(200);
    await waitForGrade(7);
  });

  test('grading works while the broker is down, and the grade arrives when it is back', async () => {
    const { grade, waitForGrade } = await newSubmission();
    await withoutBroker(async () => {
      expect((await grade(8)).status).toBe(200);
      expect((await fixtures.callAs().get('/readyz')).status).toBe(200);
    });
    await waitForGrade(8);
  });

  test('a session that ends while the broker is down is refused everywhere (D13)', async () => {
    const student = await fixtures.newStudent();
    await withoutBroker(async () => {
      await waitUntilRefused(system, student.token, () => student.post('/api/v3/logout'));
    });
  });

  test('grading works while the broker blocks publishers for lack of memory, and no event is lost', async () => {
    const { grade, waitForGrade } = await newSubmission();
    await rabbit.control('set_vm_memory_high_watermark', '0');
    try {
      expect((await grade(9)).status).toBe(200);
    } finally {
      await rabbit.control('set_vm_memory_high_watermark', '0.4');
    }
    await waitForGrade(9);
  });

  test('a consumer that is killed between gradings applies every grade once', async () => {
    const { grade, waitForGrade } = await newSubmission();
    await grade(1);
    process.kill((await system.process('courses')).pid, 'SIGKILL');
    for (let each = 2; each <= 5; each += 1) await grade(each);
    await waitForGrade(5);
  });

  test('the system starts while the broker is down, and connects when it is up', async () => {
    const { waitForGrade } = await withoutBroker(async () => {
      expect(await system.stop()).toBe(0);
      await system.start();
      const submission = await newSubmission();
      expect((await submission.grade(6)).status).toBe(200);
      return submission;
    });
    await waitForGrade(6);
  });
});

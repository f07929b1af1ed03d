import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { hasRabbit, type Rabbit, startRabbit } from '@gradeway/test/rabbitmq';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sceneIn, timeUntilRefused } from './faults.ts';

if (!hasRabbit && process.env.CI) throw new Error('CI must have RabbitMQ: these tests may not be skipped');
if (!hasRabbit) console.warn('\n*** RabbitMQ is not installed: the tests of its faults are SKIPPED ***\n');

describe.skipIf(!hasRabbit)('with RabbitMQ', () => {
  let rabbit: Rabbit;
  let system: LocalSystem;
  beforeAll(async () => {
    rabbit = await startRabbit();
    system = await startLocalSystem({ EVENTS_URL: rabbit.url, RATE_LIMIT_PER_MINUTE: '0' });
  });
  afterAll(async () => {
    await system?.remove();
    await rabbit?.stop();
  });

  const graded = async () => {
    const made = await sceneIn(system.baseUrl, system.adminEmail, system.adminPassword);
    await made.upload();
    const [{ id }] = await made.submissions();
    return {
      ...made,
      grade: (grade: number) =>
        made.admin.call('POST', `/api/v3/quiz/pdf-quizzes/grade/${id}`, { grade, total_grade: 10 }),
      inGradebook: async () => (await made.student.call('GET', '/api/v3/grades')).body.data[0]?.grade,
    };
  };

  test('a grade arrives in the gradebook by its event', async () => {
    const made = await graded();
    expect((await made.grade(7)).status).toBe(200);
    await waitFor(async () => (await made.inGradebook()) === 7);
  });

  test('while the broker is down grading works, and the grade arrives when it is back', async () => {
    const made = await graded();
    await rabbit.control('stop_app');
    const answer = await made.grade(8);
    expect([answer.status, answer.ms < 2_000]).toEqual([200, true]);
    expect((await fetch(`${system.baseUrl}/readyz`)).status).toBe(200);
    await rabbit.control('start_app');
    await waitFor(async () => (await made.inGradebook()) === 8, 20_000);
  });

  test('a session that ends while the broker is down is refused everywhere within two seconds (D13)', async () => {
    const { student } = await graded();
    await rabbit.control('stop_app');
    const times = await timeUntilRefused(system, student.token, () => student.call('POST', '/api/v3/logout'));
    await rabbit.control('start_app');
    expect(Math.max(...Object.values(times))).toBeLessThan(2_000);
  });

  test('while the broker takes nothing for want of memory grading works, and nothing is lost', async () => {
    const made = await graded();
    await rabbit.control('set_vm_memory_high_watermark', '0');
    expect((await made.grade(9)).status).toBe(200);
    await rabbit.control('set_vm_memory_high_watermark', '0.4');
    await waitFor(async () => (await made.inGradebook()) === 9, 20_000);
  });

  test('a consumer that is killed in between applies every grade once', async () => {
    const made = await graded();
    await made.grade(1);
    process.kill((await system.process('courses')).pid, 'SIGKILL');
    for (let grade = 2; grade <= 5; grade += 1) await made.grade(grade);
    await waitFor(async () => (await made.inGradebook()) === 5, 20_000);
  });

  test('the broker that comes up late finds the system running', async () => {
    await rabbit.control('stop_app');
    expect(await system.stop()).toBe(0);
    await system.start();
    const made = await graded();
    expect((await made.grade(6)).status).toBe(200);
    await rabbit.control('start_app');
    await waitFor(async () => (await made.inGradebook()) === 6, 20_000);
  });
});

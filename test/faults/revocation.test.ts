import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf, sceneIn, timeUntilRefused } from './faults.ts';

// Nobody asks by themselves after the start: what is known, the event has told.
let system: LocalSystem;
beforeAll(async () => {
  system = await startLocalSystem({ REVOCATIONS_INTERVAL: '1h', RATE_LIMIT_PER_MINUTE: '0' });
});
afterAll(() => system?.remove());

const scene = () => sceneIn(system.baseUrl, system.adminEmail, system.adminPassword);

test('the event alone makes the gateway and every service refuse an ended session within two seconds (D13)', async () => {
  const { student } = await scene();
  const times = await timeUntilRefused(system, student.token, () => student.call('POST', '/api/v3/logout'));
  expect(Object.keys(times)).toEqual(['gateway', 'auth', 'courses', 'homework', 'quiz']);
  expect(Math.max(...Object.values(times))).toBeLessThan(2_000);
});

test('every session of a blocked account ends, and others go on', async () => {
  const { admin, student, studentId } = await scene();
  const block = () => admin.call('PATCH', `/api/v3/admin/users/${studentId}`, { is_blocked: true });
  const times = await timeUntilRefused(system, student.token, block);
  expect(Math.max(...Object.values(times))).toBeLessThan(2_000);
  expect((await admin.call('GET', '/api/v3/me')).status).toBe(200);
});

test('a process that starts later knows what ended before', async () => {
  const { student } = await scene();
  await timeUntilRefused(system, student.token, () => student.call('POST', '/api/v3/logout'));
  const before = await system.process('quiz');
  process.kill(before.pid, 'SIGKILL');
  const quiz = clientOf(`http://127.0.0.1:${before.port}`, student.token);
  const isReady = async () => (await quiz.call('GET', '/readyz')).status === 200;
  await expect.poll(() => isReady().catch(() => false), { timeout: 10_000 }).toBe(true);
  expect((await system.process('quiz')).pid).not.toBe(before.pid);
  expect((await quiz.call('GET', '/api/v3/quiz/available')).status).toBe(401);
});

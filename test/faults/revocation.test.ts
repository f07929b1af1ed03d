import { Fixtures } from '@gradeway/test/fixtures';
import { createHttpClient } from '@gradeway/test/httpClient';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { waitFor } from '@gradeway/test/waitFor';
import { waitUntilRefused } from '@gradeway/test/waitUntilRefused';
import { afterAll, beforeAll, expect, test } from 'vitest';

// After the start no process polls for revocations: every test proves that events suffice.
let system: LocalSystem;
let fixtures: Fixtures;
beforeAll(async () => {
  system = await startLocalSystem({ REVOCATIONS_INTERVAL: '1h', RATE_LIMIT_PER_MINUTE: '0' });
  fixtures = new Fixtures(system);
});
afterAll(() => system?.remove());

test('the gateway and every service refuse a logged-out session on the event alone (D13)', async () => {
  const student = await fixtures.newStudent();
  const durations = await waitUntilRefused(system, student.token, () => student.post('/api/v3/logout'));
  expect(Object.keys(durations)).toEqual(['gateway', 'auth', 'courses', 'homework', 'quiz']);
});

test('every session of a blocked account ends, and other sessions continue', async () => {
  const student = await fixtures.newStudent();
  const admin = await fixtures.asAdmin();
  const block = () => admin.patch(`/api/v3/admin/users/${student.id}`, { is_blocked: true });
  await waitUntilRefused(system, student.token, block);
  expect((await admin.get('/api/v3/me')).status).toBe(200);
});

test('a process that starts later refuses sessions that ended before', async () => {
  const student = await fixtures.newStudent();
  await waitUntilRefused(system, student.token, () => student.post('/api/v3/logout'));
  const before = await system.process('quiz');
  process.kill(before.pid, 'SIGKILL');
  const quiz = createHttpClient({ baseUrl: `http://127.0.0.1:${before.port}`, token: student.token });
  await waitFor(async () => (await system.process('quiz')).pid !== before.pid);
  await waitFor(async () => (await quiz.get('/readyz')).status === 200);
  expect((await quiz.get('/api/v3/quiz/available')).status).toBe(401);
});

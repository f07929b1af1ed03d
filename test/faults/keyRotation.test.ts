import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { superuserUrl } from '@gradeway/local/embeddedPostgres';
import { schemaUrl } from '@gradeway/local/provisionDatabase';
import { serviceKeysOf } from '@gradeway/local/serviceKeys';
import { Fixtures } from '@gradeway/test/fixtures';
import { createHttpClient } from '@gradeway/test/httpClient';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { waitFor } from '@gradeway/test/waitFor';
import { waitUntilRefused } from '@gradeway/test/waitUntilRefused';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);

let system: LocalSystem;
beforeAll(async () => {
  system = await startLocalSystem({ RATE_LIMIT_PER_MINUTE: '0' });
});
afterAll(() => system?.remove());

/** Runs auth's command for its signing keys in the running system. */
async function rotateKeys(...parameters: string[]): Promise<string> {
  const secrets = JSON.parse(await readFile(join(system.directory, 'secrets.json'), 'utf8'));
  const { port } = await system.process('postgres');
  const adminUrl = superuserUrl({ port, password: secrets.postgres });
  const program = fileURLToPath(new URL('../../services/auth/dist/command.js', import.meta.url));
  const { stdout } = await run(process.execPath, [program, 'rotateKeys', ...parameters], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: schemaUrl(adminUrl, 'gradeway', 'auth', secrets.roles.auth),
      EVENTS_URL: adminUrl,
      SERVICE_KEYS: serviceKeysOf('auth', secrets.service),
      KEY_ENCRYPTION_SECRET: secrets.keyEncryption,
    },
  });
  return stdout;
}

const services = { courses: '/api/v3/grades', homework: '/api/v3/homeworks', quiz: '/api/v3/quiz/available' };

test('after the signing keys are revoked as stolen, every process refuses their tokens within seconds, and new logins work', async () => {
  // A separate system, because the other test may end the session of its administrator.
  const fixtures = new Fixtures(system);
  const student = await fixtures.newStudent();
  const other = await fixtures.newStudent();
  // The processes have cached the verified token, as they have under load.
  const durations = await waitUntilRefused(system, student.token, async () => {
    expect(await rotateKeys('--compromised')).toMatch(
      /^auth: revoked \d+ signing keys and created a new one/,
    );
  });
  expect(Object.keys(durations)).toEqual(['gateway', 'auth', 'courses', 'homework', 'quiz']);

  const refresh = await createHttpClient({ baseUrl: system.baseUrl, token: other.token }).post(
    '/api/v3/token/refresh',
  );
  expect(refresh.status).toBe(401);
  const again = await fixtures.logIn(system.adminEmail, system.adminPassword);
  const token = again.body.access_token;
  for (const [name, path] of Object.entries({ gateway: '/api/v3/me', auth: '/api/v3/me', ...services })) {
    const { port } = await system.process(name as 'quiz');
    const client = createHttpClient({ baseUrl: `http://127.0.0.1:${port}`, token });
    // 403: the administrator is known, but is not a student.
    await waitFor(async () => [200, 403].includes((await client.get(path)).status));
  }
  // A stolen key stays revoked, even in a process that starts later.
  const { pid, port } = await system.process('quiz');
  process.kill(pid, 'SIGKILL');
  await waitFor(async () => (await system.process('quiz')).pid !== pid);
  const quiz = createHttpClient({ baseUrl: `http://127.0.0.1:${port}`, token: student.token });
  await waitFor(async () => (await quiz.get('/readyz')).status === 200);
  expect((await quiz.get(services.quiz)).status).toBe(401);
});

test('an ordinary rotation invalidates no token', async () => {
  // A separate system, because the other test may end the session of its administrator.
  const fixtures = new Fixtures(system);
  const student = await fixtures.newStudent();
  const client = createHttpClient({ baseUrl: system.baseUrl, token: student.token });
  let rotated = false;
  const statuses = new Set<number>();
  const requests = (async () => {
    while (!rotated) statuses.add((await client.get('/api/v3/quiz/available')).status);
  })();
  expect(await rotateKeys()).toMatch(/created a new signing key/);
  // This delay is deliberate: every process fetches the new keys during it.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  rotated = true;
  await requests;
  expect([...statuses]).toEqual([200]);
});

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AuthService } from '@gradeway/proto/auth';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, logInto, sceneIn } from './faults.ts';

const processes = ['gateway', 'auth', 'courses', 'homework', 'quiz', 'postgres'] as const;

let system: LocalSystem;
beforeAll(async () => {
  system = await startLocalSystem({ RATE_LIMIT_PER_MINUTE: '0' });
});
afterAll(() => system.remove());

const isReady = async () => (await fetch(`${system.baseUrl}/readyz`).catch(() => undefined))?.ok === true;
const scene = () => sceneIn(system.baseUrl, system.adminEmail, system.adminPassword);

describe('the local run', () => {
  test('tells where every process is', async () => {
    for (const name of processes) {
      const { pid, port } = await system.process(name);
      expect(() => process.kill(pid, 0)).not.toThrow();
      expect(port).toBeGreaterThan(0);
    }
    const { adminPort } = await system.process('quiz');
    for (const path of ['livez', 'readyz', 'metrics'])
      expect((await fetch(`http://127.0.0.1:${adminPort}/${path}`)).status).toBe(200);
    expect((await fetch(`${system.baseUrl}/metrics`)).status).toBe(404);
  });

  test.each(processes)(
    'starts %s again within two seconds when it dies, and everything goes on',
    async (name) => {
      const { pid } = await system.process(name);
      process.kill(pid, 'SIGKILL');
      await waitFor(async () => (await system.process(name)).pid !== pid, 2_000);
      await waitFor(isReady, 10_000);
      const made = await scene();
      expect((await made.upload()).status).toBe(200);
    },
  );

  test('keeps sessions, keys and data over a restart of everything, and is ready within six seconds (D42)', async () => {
    const before = await scene();
    await before.upload();
    const [{ id }] = await before.submissions();
    expect(await system.stop()).toBe(0);
    const startedAt = Date.now();
    await system.start();
    expect(Date.now() - startedAt).toBeLessThan(6_000);
    expect((await before.submissions())[0].id).toBe(id);
    expect((await before.student.call('GET', '/api/v3/me')).status).toBe(200);
  });

  test('refuses a second one in the same directory, with one clear line', async () => {
    const { code, output } = await startAnother({ DATA_DIR: system.directory, PORT: '0' });
    expect([code, output.trim()]).toEqual([
      1,
      expect.stringMatching(/^Gradeway cannot start: it already runs in .*$/),
    ]);
  });

  test('refuses a port that is taken, with one clear line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const { code, output } = await startAnother({ PORT: String(port) });
    expect([code, output.trim()]).toEqual([
      1,
      `Gradeway cannot start: port ${port} is taken: stop what uses it, or set PORT to another`,
    ]);
    taken.close();
  });

  test('refuses a wrong setting by its name', async () => {
    const { code, output } = await startAnother({ DEMO_DATA: 'maybe' });
    expect([code, output.trim()]).toEqual([
      1,
      'Gradeway cannot start: DEMO_DATA must be 0 or 1, but is "maybe"',
    ]);
  });

  test('refuses a data directory that cannot be written', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gradeway-file-'));
    await writeFile(join(directory, 'file'), '');
    const { code, output } = await startAnother({ DATA_DIR: join(directory, 'file', 'data') });
    expect([code, output.trim()]).toEqual([1, expect.stringMatching(/^Gradeway cannot start: .*$/)]);
    await rm(directory, { recursive: true });
  });
});

function startAnother(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const main = fileURLToPath(new URL('../../local/dist/main.js', import.meta.url));
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [main], {
      env: {
        PATH: process.env.PATH,
        DATA_DIR: join(tmpdir(), `gradeway-none-${process.pid}`),
        PORT: '0',
        ...env,
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('exit', (code) => resolve({ code, output }));
  });
}

describe('a fault of a service', () => {
  test('that has stopped is 503 or 504 within seconds, nothing hangs, and it goes on when it is back', async () => {
    const made = await scene();
    const { pid } = await system.process('courses');
    process.kill(pid, 'SIGSTOP');
    try {
      const answer = await made.upload();
      expect([answer.status, answer.body]).toEqual([503, { message: 'Service Unavailable', errors: null }]);
      expect(answer.ms).toBeLessThan(5_000);
      expect((await made.admin.call('GET', '/api/v3/quiz/pdf-quizzes')).status).toBe(200);
      const login = await clientOf(system.baseUrl).call('POST', '/api/v3/login', {
        ...{ email: system.adminEmail, password: system.adminPassword },
      });
      // cart_items is the last known value (D14): nobody stays outside because courses is silent.
      expect(login.status).toBe(200);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    expect(await made.submissions()).toEqual([]);
    await waitFor(async () => (await made.upload()).status === 200);
  });

  test('the database that has stopped is 503 within seconds, and everything goes on when it is back', async () => {
    const made = await scene();
    const { pid } = await system.process('postgres');
    const workers = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
      .trim()
      .split(' ')
      .map(Number);
    for (const each of [pid, ...workers]) process.kill(each, 'SIGSTOP');
    try {
      const answer = await made.admin.call('GET', '/api/v3/quiz/pdf-quizzes');
      expect([answer.status, answer.body]).toEqual([503, { message: 'Service Unavailable', errors: null }]);
      expect(answer.headers.get('retry-after')).toBeTruthy();
      expect(answer.ms).toBeLessThan(15_000);
    } finally {
      for (const each of [...workers, pid]) process.kill(each, 'SIGCONT');
    }
    await waitFor(async () => (await made.upload()).status === 200, 20_000);
  });

  test('killed in the middle of uploads leaves no submission without its file, and no doubled one', async () => {
    const made = await scene();
    const uploads = Array.from({ length: 12 }, () => made.upload().catch(() => undefined));
    await new Promise((resolve) => setTimeout(resolve, 60));
    process.kill((await system.process('quiz')).pid, 'SIGKILL');
    const accepted = (await Promise.all(uploads)).filter((answer) => answer?.status === 200);
    await waitFor(isReady, 10_000);
    const submissions = await made.submissions();
    expect(submissions.length).toBeLessThanOrEqual(1);
    if (accepted.length > 0) expect(submissions).toHaveLength(1);
    for (const { pdf_answer_url } of submissions) expect((await fetch(pdf_answer_url)).status).toBe(200);
  });
});

test('a stranger on the network is refused by gRPC', async () => {
  const { grpcPort } = await system.process('auth');
  const options = { address: `127.0.0.1:${grpcPort}`, caller: 'quiz' as const, callee: 'auth' as const };
  const stranger = createGrpcClient(AuthService, { ...options, secret: 'not the secret that is ours' });
  await expect(stranger.call('getUsers', { userIds: [1] })).rejects.toMatchObject({ cause: { code: 16 } });
  stranger.close();
  const { service } = JSON.parse(await readFile(join(system.directory, 'secrets.json'), 'utf8'));
  const friend = createGrpcClient(AuthService, { ...options, secret: service });
  expect((await friend.call('getUsers', { userIds: [1] })).users).toHaveLength(1);
  friend.close();
});

test('no log has a password, a token or SQL in it', async () => {
  const secret = `hunter2-${Date.now()}`;
  await clientOf(system.baseUrl).call('POST', '/api/v3/login', {
    email: system.adminEmail,
    password: secret,
  });
  const admin = await logInto(system.baseUrl, system.adminEmail, system.adminPassword);
  await admin.call('GET', '/api/v3/me');
  const { body } = await admin.call('GET', '/api/v3/quiz/pdf-quizzes');
  const signed = JSON.stringify(body).match(/signature=[\w-]+/g) ?? [];
  for (const name of processes) {
    const log = await system.log(name);
    for (const never of [secret, system.adminPassword, admin.token, ...signed, 'SELECT ', 'INSERT INTO'])
      expect(log.includes(never), `${name}: ${never.slice(0, 12)}`).toBe(false);
    expect(log).not.toMatch(/^\s+at .*\(.*:\d+:\d+\)/m);
  }
});

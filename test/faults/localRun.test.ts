import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gradeway/local/ports';
import { serviceKeysOf } from '@gradeway/local/serviceKeys';
import { AuthService } from '@gradeway/proto/auth';
import { parsePeerKeys } from '@gradeway/shared/config/serviceKeys';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { Fixtures, unique } from '@gradeway/test/fixtures';
import { pdf } from '@gradeway/test/httpClient';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const processes = ['gateway', 'auth', 'courses', 'homework', 'quiz', 'postgres'] as const;

let system: LocalSystem;
let fixtures: Fixtures;
/** What the processes had logged when the local run was ready, before tests cause outages. */
let startLogs: string[];
beforeAll(async () => {
  system = await startLocalSystem({ RATE_LIMIT_PER_MINUTE: '0' });
  startLogs = await Promise.all(processes.map((name) => system.log(name)));
  fixtures = new Fixtures(system);
});
afterAll(() => system?.remove());

const statusOf = async (url: string) => (await fixtures.callAs().get(url)).status;

/** Waits until every service accepts requests again, and returns new data. */
const newScene = () => waitFor(() => fixtures.newScene());

describe('the local run', () => {
  test('the local run records the ports and process id of every process', async () => {
    for (const name of processes) {
      const { pid, port } = await system.process(name);
      expect(() => process.kill(pid, 0)).not.toThrow();
      expect(port).toBeGreaterThan(0);
    }
    const { adminPort } = await system.process('quiz');
    for (const path of ['livez', 'readyz', 'metrics'])
      expect(await statusOf(`http://127.0.0.1:${adminPort}/${path}`)).toBe(200);
    expect(await statusOf(`${system.baseUrl}/metrics`)).toBe(404);
  });

  test('a start logs no warning, although processes wait for each other', () => {
    const lines = startLogs.flatMap((log) => log.split('\n'));
    expect(lines.length).toBeGreaterThan(processes.length);
    expect(lines.filter((line) => /"level":"(warn|error|fatal)"/.test(line))).toEqual([]);
  });

  test('only their owner may read the log files, which contain login codes', async () => {
    const log = join(system.directory, 'logs', 'auth.log');
    await fixtures.callAs().post('/api/v3/login/otp', { email: system.adminEmail });
    await waitFor(async () => (await system.log('auth')).includes('login code written to the log'));
    for (const name of processes)
      expect((await stat(join(system.directory, 'logs', `${name}.log`))).mode & 0o777, name).toBe(0o600);
    // Created as by an earlier version.
    await chmod(log, 0o644);
    const { pid } = await system.process('auth');
    process.kill(pid, 'SIGKILL');
    await waitFor(async () => (await system.process('auth')).pid !== pid);
    expect((await stat(log)).mode & 0o777).toBe(0o600);
    await newScene();
  });

  test.each(processes)(
    'the local run restarts %s when it is killed, and serves requests again',
    async (name) => {
      const { pid } = await system.process(name);
      process.kill(pid, 'SIGKILL');
      await waitFor(async () => (await system.process(name)).pid !== pid);
      const scene = await newScene();
      expect((await fixtures.submitQuiz(scene)).status).toBe(200);
      expect((await fixtures.submitHomework(scene)).status).toBe(201);
    },
  );

  test('sessions, signing keys and data outlive a restart of all processes (D42)', async () => {
    const scene = await newScene();
    await fixtures.submitQuiz(scene);
    const [{ id }] = await fixtures.quizSubmissions(scene.quizId);
    expect(await system.stop()).toBe(0);
    await system.start();
    expect((await fixtures.quizSubmissions(scene.quizId))[0].id).toBe(id);
    expect((await scene.student.get('/api/v3/me')).status).toBe(200);
  });

  test('a second start with the same data directory fails with a one-line error', async () => {
    const { code, output } = await startAnother({ DATA_DIR: system.directory });
    expect([code, output.trim()]).toEqual([
      1,
      expect.stringMatching(/^Gradeway cannot start: it already runs in .*$/),
    ]);
  });

  test('a start with a port in use fails with a one-line error', async () => {
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

  test.each([
    ['DEMO_DATA', 'maybe', 'must be 0 or 1, but is "maybe"'],
    ['PORT', '0', 'must be a whole number from 1 to 65535, but is "0"'],
    ['APP_TIMEZONE', 'Mars/Base', 'must be an IANA time zone like Europe/Vienna, but is "Mars/Base"'],
    ['ADMIN_PASSWORD', 'short', 'must have 8 to 128 characters'],
  ])(
    'npm start with an invalid %s ends with an error that names it, and restarts nothing',
    async (name, value, problem) => {
      const { code, output } = await startAnother({ [name]: value });
      expect(output.trim().split('\n').at(-1)).toBe(`Gradeway cannot start: ${name} ${problem}`);
      expect(output).not.toContain('is restarted');
      expect(code).toBe(1);
    },
  );

  test('a start with a broker that cannot be reached becomes ready and reports the broker', async () => {
    const port = await freePort();
    const without = await startLocalSystem({ EVENTS_URL: `amqp://user:secret@127.0.0.1:${port}` });
    await waitFor(() => without.output().includes('The broker of EVENTS_URL cannot be reached'));
    expect(without.output()).not.toContain('secret');
    await without.remove();
  });

  test('a start with a data directory that is not writable fails with a one-line error', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gradeway-file-'));
    await writeFile(join(directory, 'file'), '');
    const { code, output } = await startAnother({ DATA_DIR: join(directory, 'file', 'data') });
    expect([code, output.trim()]).toEqual([1, expect.stringMatching(/^Gradeway cannot start: .*$/)]);
    await rm(directory, { recursive: true });
  });

  test.skipIf(process.platform !== 'linux')(
    'npm start fails with a one-line error if the data directory is on a file system that accepts no new files',
    async () => {
      const { code, output } = await startAnother({ DATA_DIR: '/proc/gradeway/data' });
      expect([code, output.trim()]).toEqual([
        1,
        'Gradeway cannot start: /proc/gradeway cannot be created: its parent directory permits no new entries',
      ]);
    },
  );
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s to the process of npm alone stops everything that npm start has started',
  async (signal) => {
    const directory = await mkdtemp(join(tmpdir(), 'gradeway-npm-'));
    const env = { ...process.env, DATA_DIR: directory, PORT: String(await freePort()), DEMO_DATA: '0' };
    const cwd = fileURLToPath(new URL('../../', import.meta.url));
    // In a separate process group, so that a signal to npm reaches no other process.
    const npm = spawn('npm', ['start'], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (output += chunk));
    const closed = new Promise((resolve) => npm.once('close', resolve));
    await waitFor(() => output.includes('Gradeway is ready'), 180_000);
    const pids = await Promise.all(
      processes.map(async (name) =>
        Number(JSON.parse(await readFile(join(directory, 'run', `${name}.json`), 'utf8')).pid),
      ),
    );
    npm.kill(signal);
    // Its output is closed once no process of the tree is left.
    await closed;
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
    await rm(directory, { recursive: true });
  },
);

/** Runs `npm start` with these settings until it ends, with a new data directory unless one is given. */
async function startAnother(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const main = fileURLToPath(new URL('../../local/dist/main.js', import.meta.url));
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-another-'));
  const settings = { PATH: process.env.PATH, DATA_DIR: directory, PORT: String(await freePort()), ...env };
  const child = spawn(process.execPath, [main], { env: settings });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  await rm(directory, { recursive: true });
  return { code, output };
}

describe('faults', () => {
  test('a service that hangs leads to a 503 instead of a request that hangs, and the system recovers', async () => {
    const scene = await newScene();
    const { pid } = await system.process('courses');
    process.kill(pid, 'SIGSTOP');
    try {
      const { status, body } = await fixtures.submitQuiz(scene);
      expect([status, body]).toEqual([503, { message: 'Service Unavailable', errors: null }]);
      expect((await (await fixtures.asAdmin()).get('/api/v3/quiz/pdf-quizzes')).status).toBe(200);
      // A login returns the cached number of cart items (D14).
      expect((await fixtures.logIn(system.adminEmail, system.adminPassword)).status).toBe(200);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    expect(await fixtures.quizSubmissions(scene.quizId)).toEqual([]);
    await waitFor(async () => (await fixtures.submitQuiz(scene)).status === 200);
  });

  test('a database that hangs is 503 with Retry-After, and the system recovers', async () => {
    const scene = await newScene();
    const admin = await fixtures.asAdmin();
    const { pid } = await system.process('postgres');
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    const pids = [pid, ...children.trim().split(' ').map(Number)];
    for (const each of pids) process.kill(each, 'SIGSTOP');
    try {
      const { status, headers, body } = await admin.get('/api/v3/quiz/pdf-quizzes');
      expect([status, body]).toEqual([503, { message: 'Service Unavailable', errors: null }]);
      expect(headers.get('retry-after')).toBeTruthy();
    } finally {
      for (const each of pids.toReversed()) process.kill(each, 'SIGCONT');
    }
    await waitFor(async () => (await fixtures.submitQuiz(scene)).status === 200);
  });

  test('a service killed during uploads leaves no submission without its file, and no duplicate', async () => {
    const scene = await newScene();
    const { pid } = await system.process('quiz');
    const file = await pdf();
    const upload = () => fixtures.submitQuiz(scene, { file }).catch(() => undefined);
    const uploads = Array.from({ length: 12 }, upload);
    await new Promise((resolve) => setTimeout(resolve, 60));
    process.kill(pid, 'SIGKILL');
    const accepted = (await Promise.all(uploads)).filter((answer) => answer?.status === 200);
    await waitFor(async () => (await system.process('quiz')).pid !== pid);
    const submissions = await waitFor(() => fixtures.quizSubmissions(scene.quizId));
    expect(submissions.length).toBeLessThanOrEqual(1);
    if (accepted.length > 0) expect(submissions).toHaveLength(1);
    for (const { pdf_answer_url } of submissions) expect(await statusOf(pdf_answer_url)).toBe(200);
  });
});

test('a gRPC call without the key of its caller is refused', async () => {
  const { grpcPort } = await system.process('auth');
  const options = { address: `127.0.0.1:${grpcPort}`, caller: 'quiz' as const, callee: 'auth' as const };
  const stranger = createGrpcClient(AuthService, { ...options, secret: 'another secret, long enough' });
  await expect(stranger.call('getUsers', { userIds: [1] })).rejects.toMatchObject({ cause: { code: 16 } });
  stranger.close();
  const { service } = JSON.parse(await readFile(join(system.directory, 'secrets.json'), 'utf8'));
  const secret = parsePeerKeys(serviceKeysOf('quiz', service));
  const peer = createGrpcClient(AuthService, { ...options, secret });
  expect((await peer.call('getUsers', { userIds: [1] })).users).toHaveLength(1);
  peer.close();
});

test('logs contain no password, token, signature, SQL or stack trace', async () => {
  const wrongPassword = `hunter2-${unique()}`;
  await fixtures.logIn(system.adminEmail, wrongPassword);
  const { quizId, ...scene } = await newScene();
  await fixtures.submitQuiz({ quizId, ...scene });
  const admin = await fixtures.asAdmin();
  await admin.get('/api/v3/me');
  const { body } = await admin.get('/api/v3/quiz/pdf-quizzes');
  const signatures = JSON.stringify(body).match(/signature=[\w-]+/g) ?? [];
  expect(signatures).not.toEqual([]);
  const secrets = [wrongPassword, system.adminPassword, admin.token ?? '', ...signatures];
  for (const name of processes) {
    const log = await system.log(name);
    for (const secret of [...secrets, 'SELECT ', 'INSERT INTO'])
      expect(log.includes(secret), `${name}: ${secret.slice(0, 12)}`).toBe(false);
    expect(log).not.toMatch(/^\s+at .*\(.*:\d+:\d+\)/m);
  }
});

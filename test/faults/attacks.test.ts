import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fixtures, type Scene } from '@gradeway/test/fixtures';
import { sendHalfLogin, sendHalfUpload } from '@gradeway/test/halfSentRequest';
import { createHttpClient, type HttpClient } from '@gradeway/test/httpClient';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { plainPdf } from '@gradeway/test/plainPdf';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Shorter than the defaults to keep the tests short; legitimate clients stay far below them.
const timeouts = { BODY_TIMEOUT: '8s', UPLOAD_MAX_PAUSE: '8s' };

let system: LocalSystem;
let fixtures: Fixtures;
let admin: HttpClient;
let scene: Scene;
let grading: string;
beforeAll(async () => {
  system = await startLocalSystem({ RATE_LIMIT_PER_MINUTE: '0', TRUSTED_PROXIES: '1', ...timeouts });
  fixtures = new Fixtures(system);
  admin = await fixtures.asAdmin();
  scene = await waitFor(() => fixtures.newScene());
  await fixtures.submitHomework(scene);
  const { body } = await admin.get(`/api/v3/admin/homeworks/${scene.classId}`);
  grading = `/api/v3/admin/homeworks/grade/${body.submissions[0].id}`;
});
afterAll(() => system?.remove());

/** Requests of legitimate clients: a login, a list, a grading and an upload. */
const honestStatuses = async () => {
  const answers = await Promise.all([
    fixtures.logIn(scene.student.email, scene.student.password),
    admin.get('/api/v3/quiz/pdf-quizzes'),
    admin.post(grading, { rating: 7 }),
    fixtures.submitQuiz(scene),
  ]);
  return answers.map(({ status }) => status);
};

const fileBytes = 16 * 1024 * 1024;
/** The line in the service's log for a download that has ended. */
const isEndedDownload = /"path":"\/api\/v3\/files\/quiz\/.*"status":200/;

/** Requests a file, and reads only the head of the response until `readRest` is called. */
function startDownload(url: string, headers: Record<string, string>) {
  const { hostname, port, host, pathname, search } = new URL(url);
  let failure: Error | undefined;
  const socket = connect(Number(port), hostname).on('error', (error) => (failure = error));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`);
  let head = '';
  socket.once('data', (chunk) => {
    head = chunk.toString('latin1');
    socket.pause();
  });
  /** The status of the response, or the reason why there is no response; undefined while neither is known. */
  const outcome = (): string | undefined => /^HTTP\/1.1 (\d+)/.exec(head)?.[1] ?? failure?.message;
  /** The number of bytes until the gateway closes the connection. The connection of a refused download stays open. */
  async function readRest(): Promise<number> {
    if (outcome() === '200') socket.resume();
    else socket.destroy();
    await closed;
    return socket.bytesRead;
  }
  return { outcome, readRest };
}

test('600 half-sent logins delay no other request, and end with 408 (D53)', async () => {
  const sent = Array.from({ length: 600 }, () => sendHalfLogin(system.baseUrl));
  await waitFor(() => sent.filter(({ socket }) => !socket.connecting).length === 600);
  for (let round = 0; round < 3; round += 1) expect(await honestStatuses()).toEqual([200, 200, 200, 200]);
  const statuses = (await Promise.all(sent.map(({ ended }) => ended))).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([408]));
});

test('headers that do not arrive are 408', async () => {
  const { hostname, port } = new URL(system.baseUrl);
  const socket = connect(Number(port), hostname).on('error', () => {});
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  socket.write('GET /api/v3/me HTTP/1.1\r\nHost: localhost\r\n');
  const drip = setInterval(() => socket.writable && socket.write('X-Filler: 1\r\n'), 500);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(drip);
  expect(text).toMatch(/^HTTP\/1.1 408 [\s\S]*\{"message":"Request Timeout","errors":null\}$/);
});

test('600 half-sent uploads of one student delay no other request, whether or not they drip, and do not stay open', async () => {
  const attacker = await fixtures.newStudent();
  const sent = Array.from({ length: 600 }, () => sendHalfUpload(system.baseUrl, attacker.token ?? ''));
  const drip = setInterval(() => {
    for (const { socket } of sent.slice(0, 300)) if (socket.writable) socket.write(' ');
  }, 500);
  await waitFor(() => sent.some(({ answer }) => answer().startsWith('HTTP/1.1 429')));
  for (let round = 0; round < 3; round += 1) expect(await honestStatuses()).toEqual([200, 200, 200, 200]);
  const statuses = (await Promise.all(sent.map(({ ended }) => ended))).map(({ status }) => status);
  clearInterval(drip);
  expect([408, 429]).toEqual(expect.arrayContaining([...new Set(statuses)]));
});

test('1,024 slow downloads by two students and from four addresses do not block uploads, and are cut (D60)', async () => {
  const file = new Blob([plainPdf([{ scan: Buffer.alloc(fileBytes) }])], { type: 'application/pdf' });
  const author = await fixtures.newScene();
  expect((await fixtures.submitQuiz(author, { file })).status).toBe(200);
  const [{ pdf_answer_url: url }] = await fixtures.quizSubmissions(author.quizId);
  const students = await Promise.all([fixtures.newStudent(), fixtures.newStudent()]);
  const downloads = Array.from({ length: 1_024 }, (_, index) => {
    const student = index < 896 ? students[index % 2] : undefined;
    return startDownload(url, {
      'x-forwarded-for': `192.0.2.${index % 4}`,
      ...(student ? { authorization: `Bearer ${student.token}` } : {}),
    });
  });
  await waitFor(() => downloads.some(({ outcome }) => outcome() === '429'));
  for (let round = 0; round < 3; round += 1) expect(await honestStatuses()).toEqual([200, 200, 200, 200]);
  await waitFor(() => downloads.every(({ outcome }) => outcome() !== undefined), 120_000);
  const count = (status: string) => downloads.filter(({ outcome }) => outcome() === status).length;
  // 16 per student, all without a token; an address may have 256.
  expect({ served: count('200'), refused: count('429') }).toEqual({ served: 128 + 32, refused: 896 - 32 });
  const ended = async () =>
    (await system.log('quiz')).split('\n').filter((line) => isEndedDownload.test(line));
  await waitFor(async () => (await ended()).length === 128 + 32, 120_000);
  const received = await Promise.all(downloads.map(({ readRest }) => readRest()));
  // The buffers of the kernel hold a whole file for a few connections.
  const incomplete = received.filter(
    (bytes, index) => downloads[index]?.outcome() === '200' && bytes < fileBytes,
  );
  expect(incomplete.length).toBeGreaterThan(128);
}, 300_000);

test('700 requests to a stopped service all get a response, and delay no other service', async () => {
  const students = await Promise.all(Array.from({ length: 7 }, () => fixtures.newStudent()));
  const { pid } = await system.process('homework');
  process.kill(pid, 'SIGSTOP');
  try {
    const statuses = students.flatMap(({ token }) =>
      Array.from({ length: 100 }, async () => {
        const client = createHttpClient({ baseUrl: system.baseUrl, token });
        return (await client.get('/api/v3/homeworks')).status;
      }),
    );
    expect((await admin.get('/api/v3/quiz/pdf-quizzes')).status).toBe(200);
    expect((await fixtures.submitQuiz(scene)).status).toBe(200);
    expect([503, 504]).toEqual(expect.arrayContaining([...new Set(await Promise.all(statuses))]));
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await waitFor(async () => (await fixtures.callAs().get('/readyz')).status === 200);
});

test('500 readiness checks within two seconds all get a response, and delay no list', async () => {
  const checks = Array.from({ length: 500 }, async (_, index) => {
    await sleep(index * 4);
    return (await fixtures.callAs().get('/readyz')).status;
  });
  expect((await admin.get('/api/v3/quiz/pdf-quizzes')).status).toBe(200);
  expect(new Set(await Promise.all(checks))).toEqual(new Set([200]));
});

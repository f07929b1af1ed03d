// Measures the effect on legitimate clients while other clients misbehave: half-sent requests, requests to a service that
// does not respond, and many readiness checks.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fixtures } from '@gradeway/test/fixtures';
import { type HalfSentRequest, sendHalfLogin, sendHalfUpload } from '@gradeway/test/halfSentRequest';
import type { Answer } from '@gradeway/test/httpClient';
import { startLocalSystem } from '@gradeway/test/localSystem';

const [goalMs, observedMs, longestMs] = [5_000, 12_000, 70_000];
const idleTimeoutMs = 15_000;

const system = await startLocalSystem();
const fixtures = new Fixtures(system);
const { port } = new URL(system.baseUrl);
const admin = await fixtures.asAdmin();
const [scene, attacker] = await Promise.all([fixtures.newScene(), fixtures.newStudent()]);
await fixtures.submitHomework(scene);
const { body: classOf } = await admin.get(`/api/v3/admin/homeworks/${scene.classId}`);
const grading = `/api/v3/admin/homeworks/grade/${classOf.submissions[0].id}`;
let met = true;

/** Requests from legitimate clients, one of each kind. */
const honest: Record<string, () => Promise<Answer>> = {
  login: () => fixtures.logIn(scene.student.email, scene.student.password),
  list: () => admin.get('/api/v3/quiz/pdf-quizzes'),
  grading: () => admin.post(grading, { rating: 7 }),
  upload: () => fixtures.submitQuiz(scene),
};

async function observeHonestClients(attack: string, kinds = Object.keys(honest)): Promise<void> {
  await Promise.all(
    kinds.map(async (kind) => {
      const until = Date.now() + observedMs;
      const statuses = new Map<number | string, number>();
      let longest = 0;
      do {
        const startedAt = performance.now();
        const status = await honest[kind]?.().then(
          (answer) => answer.status,
          () => 'no answer',
        );
        longest = Math.max(longest, performance.now() - startedAt);
        if (status !== undefined) statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await sleep(500);
      } while (Date.now() < until);
      const refused = [...statuses.keys()].some((status) => status !== 200);
      met &&= !refused && longest <= goalMs;
      console.log(`${attack}: honest ${kind.padEnd(8)} longest ${seconds(longest)}, ${count(statuses)}`);
    }),
  );
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const count = (found: Map<unknown, number>) =>
  [...found].map(([key, times]) => `${times} × ${key}`).join(', ');

/** Reports how the requests of the attack ended. Requests still open after `longestMs` are closed. */
async function reportHalfSent(attack: string, sent: HalfSentRequest[]): Promise<void> {
  const closeAll = setTimeout(() => {
    for (const { socket } of sent) socket.destroy();
  }, longestMs);
  const statuses = new Map<number | string, number>();
  let longest = 0;
  for (const { status = 'no answer', ms } of await Promise.all(sent.map(({ ended }) => ended))) {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    longest = Math.max(longest, ms);
  }
  clearTimeout(closeAll);
  console.log(
    `${attack}: attackers ${count(statuses)}, the last connection closed after ${seconds(longest)}`,
  );
}

async function halfSentLogins(): Promise<void> {
  const attack = '600 half-sent logins';
  const sent = Array.from({ length: 600 }, () => sendHalfLogin(system.baseUrl));
  await sleep(500);
  await observeHonestClients(attack);
  await reportHalfSent(attack, sent);
}

async function halfSentUploads(dripping: boolean): Promise<void> {
  const attack = `600 half-sent uploads of one student${dripping ? ', dripping' : ''}`;
  const sent = Array.from({ length: 600 }, () => sendHalfUpload(system.baseUrl, attacker.token ?? ''));
  const drip = setInterval(() => {
    if (dripping) for (const { socket } of sent) if (socket.writable) socket.write(' ');
  }, 1_000);
  await sleep(500);
  await observeHonestClients(attack);
  await reportHalfSent(attack, sent);
  clearInterval(drip);
}

function timeOf(path: string, token = ''): Promise<{ status: number | string; ms: number }> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (status: number | string) => resolve({ status, ms: performance.now() - startedAt });
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    request({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
      answer.resume().once('end', () => end(answer.statusCode ?? 0));
    })
      .once('error', () => end('no answer'))
      .end();
  });
}

async function stoppedService(): Promise<void> {
  const attack = '700 requests to a stopped service';
  const accounts = await Promise.all(Array.from({ length: 7 }, () => fixtures.newStudent()));
  const { pid } = await system.process('homework');
  process.kill(pid, 'SIGSTOP');
  try {
    const requests = accounts.flatMap(({ token }) =>
      Array.from({ length: 100 }, () => timeOf('/api/v3/homeworks', token)),
    );
    await sleep(500);
    await observeHonestClients(attack, ['login', 'list', 'upload']);
    const found = await Promise.all(requests);
    const statuses = Map.groupBy(found, ({ status }) => status);
    const longest = Math.max(...found.map(({ ms }) => ms));
    met &&= longest <= idleTimeoutMs + goalMs;
    const times = new Map([...statuses].map(([status, each]) => [status, each.length]));
    console.log(`${attack}: ${count(times)}, the last response after ${seconds(longest)}`);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

async function manyReadinessChecks(): Promise<void> {
  const attack = '500 readiness checks in 2 s';
  const checks = Array.from({ length: 500 }, async (_, index) => {
    await sleep(index * 4);
    return timeOf('/readyz');
  });
  const lists = Array.from({ length: 20 }, async (_, index) => {
    await sleep(index * 100);
    return timeOf('/api/v3/quiz/pdf-quizzes', admin.token);
  });
  const sorted = async (all: Promise<{ ms: number }>[]) =>
    (await Promise.all(all)).map(({ ms }) => ms).toSorted((a, b) => a - b);
  const [ready, list] = await Promise.all([sorted(checks), sorted(lists)]);
  const quantile = (values: number[], share: number) => values[Math.ceil(values.length * share) - 1] ?? 0;
  met &&= quantile(ready, 0.99) < 1_000;
  console.log(`${attack}: median ${seconds(quantile(ready, 0.5))}, p99 ${seconds(quantile(ready, 0.99))}`);
  console.log(`${attack}: honest list longest ${seconds(quantile(list, 1))}`);
}

try {
  await observeHonestClients('no attack');
  await manyReadinessChecks();
  await halfSentLogins();
  await stoppedService();
  await halfSentUploads(false);
  await halfSentUploads(true);
} finally {
  await system.remove();
}
console.log(met ? 'every legitimate request got a response within 5 s' : 'goal missed');
process.exit(met ? 0 : 1);

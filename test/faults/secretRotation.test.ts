import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CoursesService } from '@gradeway/proto/courses';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { type FakePeers, serviceSecret, startFakePeers } from '@gradeway/test/fakePeers';
import { now } from '@gradeway/test/fixtures';
import { createHttpClient, form, type HttpClient, pdf } from '@gradeway/test/httpClient';
import { type S3Server, startS3Server } from '@gradeway/test/s3Server';
import { type ServiceBalancer, startBalancer } from '@gradeway/test/serviceBalancer';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { waitFor } from '@gradeway/test/waitFor';
import { startWebhookReceiver, type WebhookReceiver } from '@gradeway/test/webhookReceiver';
import { Client } from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Service = 'courses' | 'quiz';

const run = promisify(execFile);
const services = ['courses', 'quiz'] as const;
const [oldSecret, newSecret] = ['the old secret of the test', 'the new secret of the test'];
const id = randomBytes(4).toString('hex');

let database: TestDatabase;
let peers: FakePeers;
let tokens: TokenIssuer;
let s3: S3Server;
let receiver: WebhookReceiver;
let gateway: ServiceProcess;
let balancers: Record<Service, ServiceBalancer>;
const running = new Set<ServiceProcess>();

// Two replicas of courses and quiz behind a balancer. Their roles are the test's own, because other tests use the usual
// ones on the same server.
beforeAll(async () => {
  [database, peers, tokens, s3, receiver] = await Promise.all([
    createTestDatabase(),
    startFakePeers(),
    startTokenIssuer(),
    startS3Server(),
    startWebhookReceiver(),
  ]);
  for (const service of services) {
    await database.query(
      `CREATE ROLE ${roleOf(service)} LOGIN PASSWORD '${oldSecret}' IN ROLE gradeway_${service}`,
    );
    await database.query(`ALTER ROLE ${roleOf(service)} SET role = gradeway_${service}`);
    await database.query(`ALTER ROLE ${roleOf(service)} SET search_path = ${service}`);
  }
  balancers = { courses: await startBalancer(), quiz: await startBalancer() };
  for (const _ of ['first', 'second'])
    await Promise.all(services.map((service) => startReplica(service, [oldSecret])));
  const { courses, quiz } = balancers;
  // Auth and homework are not running: the gateway gets quiz's address for both.
  const addresses = {
    ...{ COURSES_URL: courses.url, QUIZ_URL: quiz.url, AUTH_URL: quiz.url, HOMEWORK_URL: quiz.url },
  };
  const env = { ...addresses, EVENTS_URL: '', RATE_LIMIT_PER_MINUTE: '0' };
  gateway = await startService({ service: 'gateway', database, peers, tokens, env });
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all([...running].map((replica) => replica.stop()));
  await Promise.all(Object.values(balancers ?? {}).map((balancer) => balancer.close()));
  await Promise.all([peers?.close(), tokens?.close(), s3?.remove(), receiver?.close()]);
  for (const service of services) await database?.query(`DROP ROLE IF EXISTS ${roleOf(service)}`);
  await database?.drop();
});

const roleOf = (service: Service) => `rotation_${service}_${id}`;

function databaseUrlOf(service: Service, password: string): string {
  const url = new URL(database.url(service));
  url.username = roleOf(service);
  url.password = password;
  return url.href;
}

/** The settings of a service while these secrets are in use: the first is current, and the other is also accepted. */
function settingsOf(service: Service, secrets: string[]): Record<string, string> {
  const [current = '', secondary = ''] = secrets;
  const peer = service === 'quiz' ? 'courses' : 'quiz';
  const keys = secrets.map((secret) => `${peer}=${encodeURIComponent(secret)}`);
  const fixed = ['auth', 'homework'].map((name) => `${name}=${encodeURIComponent(serviceSecret)}`);
  return {
    SERVICE_SECRET: '',
    SERVICE_KEYS: [...fixed, ...keys].join(','),
    DATABASE_URL: secrets.map((secret) => databaseUrlOf(service, secret)).join(' '),
    FILE_URL_SECRET: current,
    FILE_URL_SECRET_SECONDARY: secondary,
    WEBHOOK_ENCRYPTION_SECRET: current,
    WEBHOOK_ENCRYPTION_SECRET_SECONDARY: secondary,
    WEBHOOK_ALLOW_HTTP: '1',
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: '1',
  };
}

async function startReplica(service: Service, secrets: string[]): Promise<void> {
  const replica = await startService({
    service,
    database,
    tokens,
    peers: { ...peers, coursesGrpc: balancers.courses.grpcAddress },
    env: { ...s3.env, SHUTDOWN_DELAY: '2500ms', ...settingsOf(service, secrets) },
  });
  running.add(replica);
  balancers[service].replicas.add(replica);
}

/** A rolling update to other secrets, as in Kubernetes with maxSurge 1 and maxUnavailable 0. */
async function replaceReplicas(service: Service, secrets: string[]): Promise<void> {
  for (const old of [...balancers[service].replicas] as ServiceProcess[]) {
    await startReplica(service, secrets);
    await old.stop();
    running.delete(old);
    balancers[service].replicas.delete(old);
  }
}
const replaceAll = (secrets: string[]) =>
  Promise.all(services.map((service) => replaceReplicas(service, secrets)));

const clientOf = (token: string) => createHttpClient({ baseUrl: gateway.url, token });

async function reencryptWebhooks(): Promise<string> {
  const program = fileURLToPath(new URL('../../services/courses/dist/command.js', import.meta.url));
  const env = {
    ...{ PATH: process.env.PATH, EVENTS_URL: database.url('broker') },
    ...settingsOf('courses', [newSecret, oldSecret]),
  };
  return (await run(process.execPath, [program, 'reencryptWebhooks'], { env })).stdout;
}

const connectWith = async (password: string) => {
  const client = new Client({ connectionString: databaseUrlOf('quiz', password) });
  await client.connect();
  await client.end();
};

test('replacing service keys, file and webhook secrets and database passwords fails no request', async () => {
  const file = await pdf();
  const admin = clientOf(tokens.sign(1, 'admin'));
  const failures: unknown[] = [];
  const counts = { requests: 0, links: 0, graded: 0 };
  const send = async (client: HttpClient, method: string, path: string, body?: unknown) => {
    counts.requests += 1;
    try {
      const answer = await client.request(method, path, { body });
      if (answer.status < 300) return answer.body;
      failures.push([method, path, answer.status, answer.body]);
    } catch (error) {
      failures.push([method, path, error]);
    }
  };
  const { id: courseId } = (await send(admin, 'POST', '/api/v3/admin/courses', { title: 'Course' })).data;
  const quizForm = form({ title: 'Quiz', course_id: String(courseId) });
  const { id: quizId } = (await send(admin, 'POST', '/api/v3/quiz/pdf-quizzes', quizForm)).data;
  const webhook = { url: `${receiver.url}/grades`, event_types: ['quiz.submission.graded.v1'] };
  const { secret } = (await send(admin, 'POST', '/api/v3/admin/webhooks', webhook)).data;

  let lastStudent = 1_000;
  const journey = async () => {
    lastStudent += 1;
    const studentId = lastStudent;
    const name = { firstName: 'Ada', lastName: `Student ${studentId}`, email: '' };
    peers.users.push({ userId: studentId, ...name, role: 'user', isBlocked: false, revision: 1 });
    const student = clientOf(tokens.sign(studentId, 'user'));
    await send(admin, 'PUT', `/api/v3/admin/courses/${courseId}/students/${studentId}`, { paid: true });
    const ids = { course_id: String(courseId), quiz_id: String(quizId) };
    const sheet = form({ ...ids, duration: '60', start_at: now(), file });
    if (!(await send(student, 'POST', '/api/v3/quiz/submit-pdf', sheet))) return;
    const own = await send(student, 'GET', '/api/v3/quiz/submissions');
    const grade = { grade: 7, total_grade: 10 };
    if (await send(admin, 'POST', `/api/v3/quiz/pdf-quizzes/grade/${own?.data[0]?.id}`, grade))
      counts.graded += 1;
  };
  const openLink = async (link: string) => {
    const { pathname, search } = new URL(link);
    counts.links += 1;
    const { status } = await fetch(`${gateway.url}${pathname}${search}`).catch(() => ({ status: 0 }));
    if (status !== 200) failures.push(['a file URL', link, status]);
  };
  const newLink = async () =>
    /https?:[^"]*signature=[^"]*/.exec(
      JSON.stringify(await send(admin, 'GET', `/api/v3/quiz/pdf-quizzes/${quizId}`)),
    )?.[0] ?? '';
  await journey();
  const oldLink = await newLink();
  let isOldLinkValid = true;
  let verified = 0;
  // Verified on arrival, because a message is valid for five minutes.
  const verifyMessages = () => {
    for (const { body, headers } of receiver.received.slice(verified)) {
      new Webhook(secret).verify(body, headers);
      verified += 1;
    }
  };
  const links = async () => {
    verifyMessages();
    if (isOldLinkValid) await openLink(oldLink);
    await openLink(await newLink());
    await send(admin, 'GET', '/api/v3/admin/courses');
  };

  let rotating = true;
  const loop = async (work: () => Promise<void>) => {
    while (rotating) {
      await work();
      await sleep(20);
    }
  };
  const load = Promise.all([loop(journey), loop(journey), loop(links)]);

  await replaceAll([oldSecret, newSecret]);
  for (const service of services)
    await database.query(`ALTER ROLE ${roleOf(service)} PASSWORD '${newSecret}'`);
  // The pools grow: their new connections need the new password.
  await Promise.all(Array.from({ length: 15 }, links));
  await replaceAll([newSecret, oldSecret]);
  expect(await reencryptWebhooks()).toMatch('encrypted the secrets of 1 webhooks');
  // As if FILE_URL_TTL had passed: clients no longer open the old link.
  isOldLinkValid = false;
  await replaceAll([newSecret]);
  const before = counts.requests;
  await waitFor(() => counts.requests > before + 30);
  rotating = false;
  await load;

  expect(failures).toEqual([]);
  expect(counts.requests).toBeGreaterThan(100);

  const delivered = await receiver.waitFor('/grades', counts.graded);
  verifyMessages();
  expect(verified).toBeGreaterThanOrEqual(counts.graded);
  expect(new Set(delivered.map(({ headers }) => headers['webhook-id'])).size).toBe(counts.graded);

  // After the last step nothing accepts the old secrets.
  const { pathname, search } = new URL(oldLink);
  expect((await fetch(`${gateway.url}${pathname}${search}`)).status).toBe(403);
  await connectWith(newSecret);
  await expect(connectWith(oldSecret)).rejects.toMatchObject({ code: '28P01' });
  const options = { address: balancers.courses.grpcAddress, caller: 'quiz', callee: 'courses' } as const;
  for (const [key, code] of [
    [oldSecret, 16],
    [newSecret, undefined],
  ] as const) {
    const client = createGrpcClient(CoursesService, { ...options, secret: key });
    const answer = client.call('listPaidCourses', { userId: 1 }).catch((error) => error.cause.code);
    expect(await answer).toEqual(code ?? expect.objectContaining({ courseIds: [] }));
    client.close();
  }
}, 400_000);

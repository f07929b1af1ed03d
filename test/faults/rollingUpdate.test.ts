import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FakePeers, startFakePeers } from '@gradeway/test/fakePeers';
import { now } from '@gradeway/test/fixtures';
import { createHttpClient, form, type HttpClient, pdf } from '@gradeway/test/httpClient';
import { type S3Server, startS3Server } from '@gradeway/test/s3Server';
import { type ServiceBalancer, startBalancer } from '@gradeway/test/serviceBalancer';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Service = 'courses' | 'quiz';

let database: TestDatabase;
let peers: FakePeers;
let tokens: TokenIssuer;
let s3: S3Server;
let gateway: ServiceProcess;
let balancers: Record<Service, ServiceBalancer>;
const running = new Set<ServiceProcess>();

// Two replicas of each service behind a balancer, with one database and one bucket.
beforeAll(async () => {
  [database, peers, tokens, s3] = await Promise.all([
    createTestDatabase(),
    startFakePeers(),
    startTokenIssuer(),
    startS3Server(),
  ]);
  balancers = { courses: await startBalancer(), quiz: await startBalancer() };
  await Promise.all([startReplica('courses'), startReplica('quiz')]);
  await Promise.all([startReplica('courses'), startReplica('quiz')]);
  const { courses, quiz } = balancers;
  // Auth and homework are not running: the gateway gets quiz's address for both.
  const addresses = {
    COURSES_URL: courses.url,
    QUIZ_URL: quiz.url,
    AUTH_URL: quiz.url,
    HOMEWORK_URL: quiz.url,
  };
  const env = { ...addresses, EVENTS_URL: '', RATE_LIMIT_PER_MINUTE: '0' };
  gateway = await startService({ service: 'gateway', database, peers, tokens, env });
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all([...running].map((replica) => replica.stop()));
  await Promise.all(Object.values(balancers ?? {}).map((balancer) => balancer.close()));
  await Promise.all([peers?.close(), tokens?.close(), s3?.remove()]);
  await database?.drop();
});

async function startReplica(service: Service): Promise<ServiceProcess> {
  const replica = await startService({
    service,
    database,
    tokens,
    peers: { ...peers, coursesGrpc: balancers.courses.grpcAddress },
    env: { ...s3.env, SHUTDOWN_DELAY: '2500ms' },
  });
  running.add(replica);
  balancers[service].replicas.add(replica);
  return replica;
}

// Like Kubernetes with maxSurge 1 and maxUnavailable 0.
async function replaceReplicas(service: Service): Promise<void> {
  for (const old of [...balancers[service].replicas] as ServiceProcess[]) {
    await startReplica(service);
    await old.stop();
    running.delete(old);
    balancers[service].replicas.delete(old);
  }
}

const clientOf = (token: string) => createHttpClient({ baseUrl: gateway.url, token });

test('a rolling update of quiz and courses under load fails no request, and loses and duplicates nothing', async () => {
  const file = await pdf();
  const sha256 = createHash('sha256')
    .update(await file.bytes())
    .digest('hex');
  const admin = clientOf(tokens.sign(1, 'admin'));
  const failures: unknown[] = [];
  let requests = 0;
  const send = async (client: HttpClient, method: string, path: string, body?: unknown) => {
    requests += 1;
    try {
      const answer = await client.request(method, path, { body });
      if (answer.status < 300) return answer.body;
      failures.push([method, path, answer.status]);
    } catch (error) {
      failures.push([method, path, error]);
    }
  };
  const { id: courseId } = (await send(admin, 'POST', '/api/v3/admin/courses', { title: 'Course' })).data;
  const quizForm = form({ title: 'Quiz', course_id: String(courseId) });
  const { id: quizId } = (await send(admin, 'POST', '/api/v3/quiz/pdf-quizzes', quizForm)).data;

  const accepted = new Set<number>();
  const graded = new Set<number>();
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
    accepted.add(studentId);
    const own = await send(student, 'GET', '/api/v3/quiz/submissions');
    const grade = { grade: 7, total_grade: 10 };
    if (await send(admin, 'POST', `/api/v3/quiz/pdf-quizzes/grade/${own?.data[0]?.id}`, grade))
      graded.add(studentId);
  };
  const lists = async () => {
    await send(admin, 'GET', '/api/v3/quiz/pdf-quizzes');
    await send(admin, 'GET', `/api/v3/quiz/pdf-quizzes/${quizId}`);
    await send(admin, 'GET', '/api/v3/admin/courses');
    await send(admin, 'GET', '/readyz');
  };

  let updating = true;
  const loop = async (work: () => Promise<void>) => {
    while (updating) {
      await work();
      await sleep(10);
    }
  };
  const load = Promise.all([loop(journey), loop(journey), loop(journey), loop(lists), loop(lists)]);
  await Promise.all([replaceReplicas('quiz'), replaceReplicas('courses')]);
  const before = requests;
  await waitFor(() => requests > before + 30);
  updating = false;
  await load;

  expect(failures).toEqual([]);
  expect(requests).toBeGreaterThan(200);
  const submissions = await database.query<{ student_id: number; key: string }>(
    'SELECT s.student_id, f.sha256, f.key FROM quiz.submissions s JOIN quiz.files f ON f.id = s.file_id',
  );
  expect(submissions.map(({ student_id }) => student_id).sort()).toEqual([...accepted].sort());
  expect(submissions).toEqual(submissions.map((each) => ({ ...each, sha256 })));
  expect((await s3.keys()).toSorted()).toEqual(submissions.map(({ key }) => key).toSorted());
  await waitFor(async () => {
    const grades = await database.query<{ student_id: number }>('SELECT student_id FROM courses.grades');
    return (
      JSON.stringify(grades.map(({ student_id }) => student_id).sort()) === JSON.stringify([...graded].sort())
    );
  });
});

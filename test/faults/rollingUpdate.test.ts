import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Peers, startPeers } from '@gradeway/test/peers';
import { type S3, startS3 } from '@gradeway/test/s3';
import { type ServiceBalancer, startBalancer } from '@gradeway/test/serviceBalancer';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { startTokenSource, type TokenSource } from '@gradeway/test/tokens';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, clientOf } from './faults.ts';

type Service = 'courses' | 'quiz';

let database: TestDatabase;
let peers: Peers;
let tokens: TokenSource;
let s3: S3;
let gateway: ServiceProcess;
let balancers: Record<Service, ServiceBalancer>;
const running = new Set<ServiceProcess>();

// Two replicas of each, behind what stands for their Kubernetes Services, one database, one bucket.
beforeAll(async () => {
  [database, peers, tokens, s3] = await Promise.all([
    createTestDatabase(),
    startPeers(),
    startTokenSource(),
    startS3(),
  ]);
  balancers = { courses: await startBalancer(), quiz: await startBalancer() };
  await Promise.all([startReplica('courses'), startReplica('quiz')]);
  await Promise.all([startReplica('courses'), startReplica('quiz')]);
  const { courses, quiz } = balancers;
  // Auth and homework take no part; quiz answers for their readiness.
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
    ...{ service, database, tokens },
    peers: { ...peers, coursesGrpc: balancers.courses.grpcAddress },
    env: { ...s3.env, SHUTDOWN_DELAY: '2500ms' },
  });
  running.add(replica);
  balancers[service].replicas.add(replica);
  return replica;
}

// As Kubernetes does it with maxSurge 1, maxUnavailable 0.
async function replaceReplicas(service: Service): Promise<void> {
  for (const old of [...balancers[service].replicas] as ServiceProcess[]) {
    await startReplica(service);
    await old.stop();
    running.delete(old);
    balancers[service].replicas.delete(old);
  }
}

const pdf = new Uint8Array(readFileSync(new URL('./answers.pdf', import.meta.url)));
const sum = createHash('sha256').update(pdf).digest('hex');

test('replacing every replica of quiz and courses under load fails no request, and loses and doubles nothing', async () => {
  const admin = clientOf(gateway.url, tokens.sign(1, 'admin'));
  const failures: unknown[] = [];
  let requests = 0;
  const ask = async (client: Client, method: string, path: string, body?: unknown) => {
    requests += 1;
    try {
      const answer = await client.call(method, path, body);
      if (answer.status < 300) return answer.body;
      failures.push([method, path, answer.status]);
    } catch (error) {
      failures.push([method, path, error]);
    }
  };
  const { id: courseId } = (await ask(admin, 'POST', '/api/v3/admin/courses', { title: 'Course' })).data;
  const quizForm = formOf({ title: 'Quiz', course_id: String(courseId) });
  const { id: quizId } = (await ask(admin, 'POST', '/api/v3/quiz/pdf-quizzes', quizForm)).data;

  const accepted = new Set<number>();
  const graded = new Set<number>();
  let lastStudent = 1_000;
  const journey = async () => {
    lastStudent += 1;
    const studentId = lastStudent;
    const name = { firstName: 'Ada', lastName: `Student ${studentId}`, email: '' };
    peers.users.push({ userId: studentId, ...name, role: 'user', isBlocked: false, revision: 1 });
    const student = clientOf(gateway.url, tokens.sign(studentId, 'user'));
    await ask(admin, 'PUT', `/api/v3/admin/courses/${courseId}/students/${studentId}`, { paid: true });
    const start_at = `${new Date().toISOString().slice(0, 19)}Z`;
    const fields = { course_id: String(courseId), quiz_id: String(quizId), duration: '60', start_at };
    if (!(await ask(student, 'POST', '/api/v3/quiz/submit-pdf', formOf(fields, pdf)))) return;
    accepted.add(studentId);
    const own = await ask(student, 'GET', '/api/v3/quiz/submissions');
    const grade = { grade: 7, total_grade: 10 };
    if (await ask(admin, 'POST', `/api/v3/quiz/pdf-quizzes/grade/${own?.data[0]?.id}`, grade))
      graded.add(studentId);
  };
  const lists = async () => {
    await ask(admin, 'GET', '/api/v3/quiz/pdf-quizzes');
    await ask(admin, 'GET', `/api/v3/quiz/pdf-quizzes/${quizId}`);
    await ask(admin, 'GET', '/api/v3/admin/courses');
    await ask(admin, 'GET', '/readyz');
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
  await sleep(300);
  updating = false;
  await load;

  expect(failures).toEqual([]);
  expect(requests).toBeGreaterThan(200);
  const submissions = await database.query<{ student_id: number; key: string }>(
    'SELECT s.student_id, f.sha256, f.key FROM quiz.submissions s JOIN quiz.files f ON f.id = s.file_id',
  );
  expect(submissions.map(({ student_id }) => student_id).sort()).toEqual([...accepted].sort());
  expect(submissions).toEqual(submissions.map((each) => ({ ...each, sha256: sum })));
  expect((await s3.keys()).toSorted()).toEqual(submissions.map(({ key }) => key).toSorted());
  await waitFor(async () => {
    const grades = await database.query<{ student_id: number }>('SELECT student_id FROM courses.grades');
    return (
      JSON.stringify(grades.map(({ student_id }) => student_id).sort()) === JSON.stringify([...graded].sort())
    );
  });
});

function formOf(fields: Record<string, string>, file?: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file) form.append('file', new Blob([file]), 'answers.pdf');
  return form;
}

import { Fixtures, type Scene } from '@gradeway/test/fixtures';
import type { Answer } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { takesTurns } from './deployment/turns.ts';
import { kubectl, replaced, secretValue, waitForCluster } from './kubernetes/kubectl.ts';
import { type LogLine, readLogs } from './kubernetes/logs.ts';
import { forwardPort } from './kubernetes/portForward.ts';

const namespace = 'gradeway';
const calledByGrpc = ['auth', 'courses'];
let fixtures: Fixtures;
let scene: Scene;

takesTurns({ unchanged: ['gradeway'] });
beforeAll(async () => {
  // Served RPCs are logged only at this level.
  await setLogLevel('LOG_LEVEL=debug');
  fixtures = new Fixtures({
    baseUrl: inject('baseUrl'),
    adminEmail: await secretValue(namespace, 'auth', 'ADMIN_EMAIL'),
    adminPassword: await secretValue(namespace, 'auth', 'ADMIN_PASSWORD'),
  });
  scene = await fixtures.newScene();
});
afterAll(() => setLogLevel('LOG_LEVEL-'));

async function setLogLevel(change: string): Promise<void> {
  const deployments = calledByGrpc.map((name) => `deployment/${name}`);
  await kubectl('-n', namespace, 'set', 'env', ...deployments, '--containers=main', change);
  await Promise.all(calledByGrpc.map((name) => replaced(namespace, name)));
}

/** The lines with the request id of a response, once every service has logged one. */
const linesOf = (answer: Answer, services: string[]): Promise<LogLine[]> =>
  waitForCluster(async () => {
    const lines = (await readLogs(namespace, '2m')).filter(
      ({ request_id }) => request_id === answer.headers.get('x-request-id'),
    );
    return services.every((name) => lines.some(({ service }) => service === name)) && lines;
  });

test.each([
  ['an upload', ['gateway', 'quiz', 'courses', 'auth'], () => fixtures.submitQuiz(scene)],
  ['a refused upload', ['gateway', 'quiz', 'courses'], submitWithoutAccess],
  ['an enrollment', ['gateway', 'courses', 'auth'], enrollAgain],
  ['a refused login', ['gateway', 'auth'], () => fixtures.logIn(scene.student.email, 'wrong')],
])('the log lines of %s are found by its X-Request-Id in %s', async (_, services, send) => {
  const answer = await send();
  const lines = await linesOf(answer, services);
  for (const { service, msg, trace_id } of lines) {
    expect(services, msg).toContain(service);
    expect(trace_id, msg).toBe(lines[0]?.trace_id);
  }
  const [outcome] = lines.filter(({ service, msg }) => service === 'gateway' && msg === 'request');
  expect(outcome?.status).toBe(answer.status);
  // Conversely, no line of its trace lacks the id.
  const others = (await readLogs(namespace, '2m')).filter(
    ({ trace_id, request_id }) =>
      trace_id === lines[0]?.trace_id && request_id !== answer.headers.get('x-request-id'),
  );
  expect(others).toEqual([]);
  console.log(lines.map(({ service, msg }) => `${service}: ${msg}`).join(', '));
});

async function submitWithoutAccess(): Promise<Answer> {
  const stranger = await fixtures.newStudent();
  const answer = await fixtures.submitQuiz({ ...scene, student: stranger });
  expect(answer.status).toBe(403);
  return answer;
}

async function enrollAgain(): Promise<Answer> {
  const { id } = await fixtures.newAccount();
  const path = `/api/v3/admin/courses/${scene.courseId}/students/${id}`;
  return (await fixtures.asAdmin()).put(path, { paid: true });
}

test('an upload is one trace in Jaeger, across the pods of gateway, quiz, courses and auth and over its event', async () => {
  const services = ['gateway', 'quiz', 'courses', 'auth'];
  const answer = await fixtures.submitQuiz(scene);
  const [line] = await linesOf(answer, ['gateway']);
  const jaeger = await forwardPort(namespace, 'service/jaeger', 16686);
  try {
    const trace = await waitFor(async () => {
      const response = await fetch(`http://127.0.0.1:${jaeger.port}/api/traces/${line?.trace_id}`);
      const found = readTrace((await response.json()) as { data: JaegerTrace[] });
      // Each process exports its spans a few seconds later, and the gateway exports its first spans before the
      // request's span, which ends last: until then their parent is missing.
      const isWhole = services.every((name) => found.services.includes(name)) && found.roots.length === 1;
      return isWhole && found.kinds.has('consumer') && found;
    });
    console.log(`${trace.spans} spans of ${trace.services.join(', ')}`);
    expect(trace.instances).toBeGreaterThanOrEqual(trace.services.length);
    expect(trace.roots).toEqual(['gateway POST /api/v3/quiz/submit-pdf']);
    expect(trace.requestId).toContain(answer.headers.get('x-request-id'));
  } finally {
    jaeger.stop();
  }
});

interface Tag {
  key: string;
  value: string;
}

interface JaegerTrace {
  spans: {
    spanID: string;
    operationName: string;
    processID: string;
    references: { spanID: string }[];
    tags: Tag[];
  }[];
  processes: Record<string, { serviceName: string; tags: Tag[] }>;
}

/** The part of Jaeger's response that the test compares. A span whose parent is missing counts as a root. */
function readTrace({ data: [trace] }: { data: JaegerTrace[] }) {
  const { spans, processes } = trace ?? { spans: [], processes: {} };
  const tagOf = (tags: Tag[], name: string) => tags.find(({ key }) => key === name)?.value;
  const ids = new Set(spans.map(({ spanID }) => spanID));
  const roots = spans.filter(({ references }) => !references.some(({ spanID }) => ids.has(spanID)));
  const instances = Object.values(processes).map(({ tags }) => tagOf(tags, 'service.instance.id'));
  return {
    spans: spans.length,
    services: [...new Set(Object.values(processes).map(({ serviceName }) => serviceName))].toSorted(),
    instances: new Set(instances).size,
    kinds: new Set(spans.map(({ tags }) => tagOf(tags, 'span.kind'))),
    roots: roots.map(
      ({ processID, operationName }) => `${processes[processID]?.serviceName} ${operationName}`,
    ),
    requestId: roots.map(({ tags }) => tagOf(tags, 'http.response.header.x-request-id')).join(),
  };
}

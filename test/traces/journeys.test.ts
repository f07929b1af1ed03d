import { readFile } from 'node:fs/promises';
import type { Answer } from '@gradeway/test/httpClient';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import type { ReceivedSpan } from '@gradeway/test/otlp';
import { drawTrace, serviceOf, startTraceReceiver, type TraceReceiver } from '@gradeway/test/traceReceiver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  forgedTrace,
  type Journeys,
  newPersonalScene,
  personal,
  runJourneys,
  tracedFixtures,
} from './journeys.ts';
import { edgesOf, traceOf } from './spans.ts';

let receiver: TraceReceiver;
let system: LocalSystem;
let journeys: Journeys;
let tokens: string[];
let spans: ReceivedSpan[];
/** The response to the last request before the system stopped. */
let lastAnswer: Answer;

beforeAll(async () => {
  receiver = await startTraceReceiver();
  system = await startLocalSystem({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
    OTEL_SERVICE_NAME: 'ignored: every process has its own name',
  });
  const fixtures = tracedFixtures(system);
  const scene = await newPersonalScene(fixtures);
  tokens = [(await fixtures.asAdmin()).token ?? '', scene.student.token ?? ''];
  journeys = await runJourneys(fixtures, scene);
  for (const { body } of [journeys.browserLogin, journeys.browserRefresh]) tokens.push(body.access_token);
  spans = await receiver.find((all) =>
    // The last step of the last journey.
    all.some(({ name }) => name === 'process homework.submission.graded.v1:courses') ? all : undefined,
  );
  lastAnswer = await fixtures.callAs().get('/api/v3/me');
  await system.stop();
  if (process.env.DRAW_TRACES) console.log(drawTrace(traceOf(spans, journeys.quizUpload)));
});
afterAll(async () => {
  await system?.remove();
  await receiver?.close();
});

const through = (method: string, route: string, service: string) => [
  `client → gateway server ${method} ${route}`,
  `gateway server ${method} ${route} → gateway client ${method} ${route}`,
  `gateway client ${method} ${route} → ${service} server ${method} ${route}`,
];
const throughSession = (method: string, route: string, call: string) => [
  `client → gateway server ${method} ${route}`,
  `gateway server ${method} ${route} → gateway client POST ${call}`,
  `gateway client POST ${call} → auth server POST ${call}`,
];
const rpc = (caller: string, from: string, callee: string, method: string) => {
  const name = `gradeway.${callee}.v1.${callee[0]?.toUpperCase()}${callee.slice(1)}Service/${method}`;
  return [
    `${caller} server ${from} → ${caller} client ${name}`,
    `${caller} client ${name} → ${callee} server ${name}`,
  ];
};

describe('the trace of a request', () => {
  const upload = 'POST /api/v3/quiz/submit-pdf';
  const handIn = 'POST /api/v3/homeworks/:class_id/submissions';
  const quizGrade = 'POST /api/v3/quiz/pdf-quizzes/grade/:grade_id';
  const homeworkGrade = 'POST /api/v3/admin/homeworks/grade/:id';
  // A grading inserts its events in the statement that makes the change (decision 45).
  const event = (service: string, from: string, type: string, statement = 'INSERT outbox') => [
    `${service} server ${from} → ${service} producer create ${type}`,
    `${service} producer create ${type} → ${service} client ${statement}`,
    `${service} producer create ${type} → ${service} producer send ${type}`,
  ];
  const consumed = (service: string, type: string) => [
    `${service} producer send ${type} → courses consumer process ${type}:courses`,
    `courses consumer process ${type}:courses → courses client INSERT inbox`,
    `courses consumer process ${type}:courses → courses client WITH grades`,
  ];

  const countSubmissions = 'gradeway.submissions.v1.SubmissionsService/CountSubmissions';
  const counted = (service: string) => [
    `courses server GET /api/v3/grading/courses → courses client ${countSubmissions}`,
    `courses client ${countSubmissions} → ${service} server ${countSubmissions}`,
  ];

  test.each<[keyof typeof journeys, string[]]>([
    [
      'login',
      [
        ...through('POST', '/api/v3/login', 'auth'),
        'auth server POST /api/v3/login → auth client WITH users',
        ...rpc('auth', 'POST /api/v3/login', 'courses', 'CountCartItems'),
      ],
    ],
    ['browserLogin', throughSession('POST', '/session', '/api/v3/login')],
    ['browserRefresh', throughSession('POST', '/session/refresh', '/api/v3/token/refresh')],
    [
      'browserLogout',
      [
        ...throughSession('DELETE', '/session', '/api/v3/logout'),
        ...throughSession('DELETE', '/session', '/api/v3/token/refresh'),
      ],
    ],
    [
      'quizUpload',
      [
        ...through('POST', '/api/v3/quiz/submit-pdf', 'quiz'),
        `quiz server ${upload} → quiz internal check PDF`,
        ...rpc('quiz', upload, 'courses', 'CheckAccess'),
        'courses server gradeway.courses.v1.CoursesService/CheckAccess → courses client SELECT courses',
        `quiz server ${upload} → quiz client INSERT files`,
        `quiz server ${upload} → quiz client WITH submissions`,
        ...event('quiz', upload, 'quiz.submission.submitted.v1'),
        ...rpc('quiz', upload, 'auth', 'SignReceipt'),
      ],
    ],
    [
      'quizGrading',
      [
        ...through('POST', '/api/v3/quiz/pdf-quizzes/grade/:grade_id', 'quiz'),
        ...event('quiz', quizGrade, 'quiz.submission.graded.v1', 'WITH quizzes'),
        ...consumed('quiz', 'quiz.submission.graded.v1'),
      ],
    ],
    [
      'rubricChange',
      [
        ...through('PUT', '/api/v3/grading/quizzes/:item_id/rubric', 'quiz'),
        'quiz server PUT /api/v3/grading/quizzes/:item_id/rubric → quiz internal regrade submissions',
        'quiz internal regrade submissions → quiz client WITH submissions',
        'quiz internal regrade submissions → quiz client INSERT outbox',
      ],
    ],
    [
      'homeworkUpload',
      [
        ...through('POST', '/api/v3/homeworks/:class_id/submissions', 'homework'),
        `homework server ${handIn} → homework internal check PDF`,
        ...rpc('homework', handIn, 'courses', 'CheckAccess'),
        `homework server ${handIn} → homework client WITH submissions`,
        ...event('homework', handIn, 'homework.submission.submitted.v1'),
      ],
    ],
    [
      'homeworkGrading',
      [
        ...through('POST', '/api/v3/admin/homeworks/grade/:id', 'homework'),
        ...event('homework', homeworkGrade, 'homework.submission.graded.v1', 'WITH assignments'),
        ...consumed('homework', 'homework.submission.graded.v1'),
      ],
    ],
    [
      'quizzes',
      [
        ...through('GET', '/api/v3/quiz/pdf-quizzes', 'quiz'),
        'quiz server GET /api/v3/quiz/pdf-quizzes → quiz client SELECT quiz_total',
      ],
    ],
    [
      'homeworks',
      [
        ...through('GET', '/api/v3/admin/homeworks', 'homework'),
        'homework server GET /api/v3/admin/homeworks → homework client SELECT homework_totals',
      ],
    ],
    [
      'students',
      [
        ...through('GET', '/api/v3/admin/courses/:course_id/students', 'courses'),
        'courses server GET /api/v3/admin/courses/:course_id/students → courses client SELECT courses',
      ],
    ],
    [
      'gradingCourses',
      [...through('GET', '/api/v3/grading/courses', 'courses'), ...['quiz', 'homework'].flatMap(counted)],
    ],
    ['download', through('GET', '/api/v3/files/quiz/:id', 'quiz')],
    ['unknown', ['client → gateway server GET']],
  ])('the journey %s is one trace with each step below its caller', (journey, edges) => {
    const trace = traceOf(spans, journeys[journey]);
    const found = edgesOf(trace);
    expect([...found]).toEqual(expect.arrayContaining(edges));
    expect([...found].filter((edge) => edge.startsWith('client →'))).toHaveLength(1);
    expect([...found].filter((edge) => /undefined|missing span/.test(edge))).toEqual([]);
    expect(trace.filter(({ failed }) => failed)).toEqual([]);
  });
});

describe('spans', () => {
  const described = {
    server: [/^(http\.|url\.)/, /^rpc\./],
    client: [/^(http\.|url\.|server\.)/, /^(rpc|server)\./, /^(db|server)\./],
    producer: [/^(messaging|cloudevents)\./],
    consumer: [/^(messaging|cloudevents)\./],
    internal: [/^gradeway\.(pdf|submissions)\./],
  };

  test('a span has only attributes from the semantic conventions', () => {
    const unexpected = spans.filter(
      ({ kind, attributes }) =>
        !described[kind].some((names) => Object.keys(attributes).every((name) => names.test(name))),
    );
    expect(unexpected).toEqual([]);
    expect(new Set(spans.map(({ kind }) => kind))).toEqual(new Set(Object.keys(described)));
  });

  test('a span identifies its process and installation', async () => {
    const services = new Set(spans.map(serviceOf));
    expect(services).toEqual(new Set(['gateway', 'auth', 'courses', 'homework', 'quiz']));
    // A restarted process is a new instance.
    expect(system.output()).not.toContain('restarted');
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    for (const { resource } of spans)
      expect(resource).toMatchObject({
        'service.namespace': 'gradeway',
        'service.version': version,
        'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'deployment.environment.name': 'tests',
      });
    expect(new Set(spans.map(({ resource }) => resource['service.instance.id'])).size).toBe(5);
  });

  test('a span has no personal data, token, file name, query string or SQL', () => {
    const everything = JSON.stringify(spans, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    for (const secret of [...Object.values(personal), ...tokens, 'signature=', 'search=', 'WHERE', 'VALUES'])
      expect(everything).not.toContain(secret);
    const paths = spans.flatMap(({ attributes }) => [attributes['url.path'], attributes['url.full'] ?? '']);
    expect(paths.filter((path) => /\/\d+(\/|$)|[?#]/.test(String(path)))).toEqual([]);
  });
});

test('trace headers and baggage of a client are not continued', () => {
  const everything = JSON.stringify(spans, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  expect(everything).not.toContain(forgedTrace);
  expect(everything).not.toContain('baggagetraced');
  expect(everything).not.toContain('forged=1');
});

test('background work and probes start no trace', () => {
  const roots = spans.filter(({ parentId }) => parentId === undefined);
  const names = new Set(roots.map((span) => `${serviceOf(span)} ${span.kind}`));
  expect([...names].filter((name) => !/^(gateway server|auth server|\w+ consumer)$/.test(name))).toEqual([]);
  const rootsOfAuth = roots.filter((span) => serviceOf(span) === 'auth' && span.kind === 'server');
  expect(new Set(rootsOfAuth.map(({ name }) => name))).toEqual(new Set(['GET /.well-known/jwks.json']));
  expect(spans.filter(({ name }) => /ListRevocations|WatchRevocations|livez|readyz/.test(name))).toEqual([]);
});

test('the log lines of a request have its request id and trace id', async () => {
  const [{ traceId = '' } = {}] = traceOf(spans, journeys.quizUpload);
  for (const name of ['gateway', 'quiz'] as const) {
    const lines = (await system.log(name)).trim().split('\n');
    expect(lines.filter((line) => !line.startsWith('{'))).toEqual([]);
    const traced = lines.map((line) => JSON.parse(line)).filter((line) => line.trace_id === traceId);
    expect(traced.length).toBeGreaterThan(0);
    for (const line of traced) {
      expect(line.request_id).toBe(journeys.quizUpload.headers.get('x-request-id'));
      expect(spans.map(({ spanId }) => spanId)).toContain(line.span_id);
    }
  }
});

test('a process exports its remaining spans when it stops', () => {
  expect(traceOf(spans, lastAnswer).map(({ name }) => name)).toEqual(['GET /api/v3/me']);
});

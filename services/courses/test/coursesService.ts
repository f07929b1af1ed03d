import type { Role } from '@gradeway/shared/auth/roles';
import type { Broker } from '@gradeway/shared/events/broker';
import type { EventData, EventType } from '@gradeway/shared/events/catalog';
import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import { openBroker } from '@gradeway/shared/events/openBroker';
import { createLogger } from '@gradeway/shared/process/logger';
import { type FakePeers, startFakePeers } from '@gradeway/test/fakePeers';
import { createHttpClient } from '@gradeway/test/httpClient';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { waitFor } from '@gradeway/test/waitFor';

export interface Account {
  firstName?: string;
  lastName?: string;
  email?: string;
  role?: Role;
}

export interface Student {
  id: number;
  token: string;
}

interface Response<Body = unknown> {
  status: number;
  body: Body;
  headers: Headers;
}

export interface CoursesService {
  service: ServiceProcess;
  database: TestDatabase;
  peers: FakePeers;
  tokens: TokenIssuer;
  admin: string;
  /** Creates a course and returns its id. */
  createCourse(title?: string): Promise<number>;
  /** Creates a class and returns its id. */
  createClass(courseId: number, title?: string): Promise<number>;
  /** Adds an account to the fake auth. */
  createAccount(account?: Account): Student;
  /** Adds an account and enrolls it in a course. */
  createStudent(courseId: number, account?: Account & { paid?: boolean }): Promise<Student>;
  /** Adds an account with the role `instructor` and assigns it to these courses. */
  createInstructor(courseIds: number[], account?: Account): Promise<Student>;
  request<Body>(method: string, path: string, token?: string, body?: unknown): Promise<Response<Body>>;
  get<Body>(path: string, token?: string): Promise<Response<Body>>;
  /** Publishes an event like another service, and waits until it has been applied. */
  sendEvent<Type extends EventType>(type: Type, data: EventData[Type]): Promise<CloudEvent>;
  publishEvent(event: CloudEvent, expected?: { applied: boolean }): Promise<void>;
  /** The events of the outbox with these types (a LIKE pattern) and data, in order. */
  outboxEvents(
    types: string,
    where: Record<string, unknown>,
  ): Promise<{ type: string; data: Record<string, unknown> }[]>;
  close(): Promise<void>;
}

/** Starts the courses service as a process, with a fake auth that has the accounts of the test. */
export async function startCoursesService(
  env: Record<string, string> | ((database: TestDatabase) => Promise<Record<string, string>>) = {},
): Promise<CoursesService> {
  const [database, peers, tokens] = await Promise.all([
    createTestDatabase(),
    startFakePeers(),
    startTokenIssuer(),
  ]);
  const settings = typeof env === 'function' ? await env(database) : env;
  const service = await startService({ service: 'courses', database, peers, tokens, env: settings });
  const admin = tokens.sign(1, 'admin');
  let broker: Promise<Broker> | undefined;
  let lastId = 100;

  const openOnce = () => {
    const options = { url: database.url('broker'), log: createLogger('test', 'silent') };
    broker ??= openBroker(options);
    return broker;
  };

  const courses: CoursesService = {
    service,
    database,
    peers,
    tokens,
    admin,
    async request<Body>(method: string, path: string, token = admin, body?: unknown) {
      const client = createHttpClient({ baseUrl: service.url, token: token || undefined });
      return client.request(method, path, { body }) as Promise<Response<Body>>;
    },
    get: (path, token) => courses.request('GET', path, token),
    async createCourse(title = 'Algebra') {
      const created = await courses.request<Created>('POST', '/api/v3/admin/courses', admin, { title });
      return created.body.data.id;
    },
    async createClass(courseId, title = 'Class 1') {
      const path = `/api/v3/admin/courses/${courseId}/classes`;
      return (await courses.request<Created>('POST', path, admin, { title })).body.data.id;
    },
    createAccount({ firstName = 'Ada', lastName = 'Lovelace', email = '', role = 'user' } = {}) {
      lastId += 1;
      const state = { role, isBlocked: false, revision: 1 };
      peers.users.push({ userId: lastId, firstName, lastName, email, ...state });
      return { id: lastId, token: tokens.sign(lastId, role) };
    },
    async createStudent(courseId, { paid = true, ...account } = {}) {
      const student = courses.createAccount(account);
      const path = `/api/v3/admin/courses/${courseId}/students/${student.id}`;
      const { status } = await courses.request('PUT', path, admin, { paid });
      if (status !== 200) throw new Error(`enrolling returned ${status}`);
      return student;
    },
    async createInstructor(courseIds, account = {}) {
      const instructor = courses.createAccount({ ...account, role: 'instructor' });
      for (const courseId of courseIds) {
        const path = `/api/v3/admin/courses/${courseId}/instructors/${instructor.id}`;
        const { status } = await courses.request('PUT', path);
        if (status !== 200) throw new Error(`assigning returned ${status}`);
      }
      return instructor;
    },
    async sendEvent(type, data) {
      const event = createEvent('test', type, 'records/1', data);
      await courses.publishEvent(event as CloudEvent);
      return event as CloudEvent;
    },
    async publishEvent(event, { applied: isApplied } = { applied: true }) {
      await (await openOnce()).publish({ event, traceparent: null });
      if (!isApplied) return;
      const applied = 'SELECT event_id FROM courses.inbox WHERE source = $1 AND event_id = $2';
      await waitFor(async () => (await database.query(applied, [event.source, event.id])).length === 1);
    },
    outboxEvents(types, where) {
      return database.query(
        `SELECT type, body->'data' AS data FROM courses.outbox
         WHERE type LIKE $1 AND body->'data' @> $2::jsonb ORDER BY position`,
        [types, JSON.stringify(where)],
      );
    },
    async close() {
      await service.stop();
      await (await broker)?.close();
      await Promise.all([peers.close(), tokens.close(), database.drop()]);
    },
  };
  return courses;
}

interface Created {
  data: { id: number };
}

/** The data of a homework grading event. */
export const homeworkGraded = (
  change: Partial<EventData['homework.submission.graded.v1']>,
): EventData['homework.submission.graded.v1'] => ({
  submission_id: 1,
  class_id: 1,
  course_id: 1,
  student_id: 1,
  title: 'Essay',
  rating: 8,
  comment: null,
  graded_by: 1,
  graded_at: '2026-03-01T10:00:00.000Z',
  revision: 1,
  ...change,
});

/** The data of a quiz grading event. */
export const quizGraded = (
  change: Partial<EventData['quiz.submission.graded.v1']>,
): EventData['quiz.submission.graded.v1'] => ({
  submission_id: 1,
  quiz_id: 1,
  course_id: 1,
  student_id: 1,
  title: 'Quiz',
  grade: 17.5,
  total_grade: 20,
  comment: null,
  graded_by: 1,
  graded_at: '2026-03-02T10:00:00.000Z',
  revision: 1,
  ...change,
});

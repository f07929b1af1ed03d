import { readdir } from 'node:fs/promises';
import { makePdf } from '@gradeway/local/demoPdf';
import type { Broker } from '@gradeway/shared/events/broker';
import type { EventData, EventType } from '@gradeway/shared/events/catalog';
import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import { openBroker } from '@gradeway/shared/events/openBroker';
import { createLogger } from '@gradeway/shared/process/logger';
import { type FakePeers, startFakePeers } from '@gradeway/test/fakePeers';
import { type Answer, createHttpClient, form, type HttpClient } from '@gradeway/test/httpClient';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { waitFor } from '@gradeway/test/waitFor';

export interface HomeworkService {
  service: ServiceProcess;
  database: TestDatabase;
  peers: FakePeers;
  tokens: TokenIssuer;
  admin: string;
  pdf: Blob;
  /** A new course with a class that has an assignment, and a student who is enrolled and has paid. */
  setUp(assignment?: Record<string, string>): Promise<Scene>;
  /** The same without the assignment. */
  setUpClass(): Scene;
  /** Another student in the same course. */
  enroll(courseId: number, name?: { firstName?: string; lastName?: string; email?: string }): Student;
  /** Submits files, by their names. */
  submit(classId: number, student: Student, files?: Record<string, Blob> | FormData): Promise<Answer>;
  /** Submits a file and returns the SubmissionObject. */
  submitted(classId: number, student: Student, names?: string[]): Promise<SubmissionObject>;
  grade(submissionId: number, body: unknown): Promise<Answer>;
  put(classId: number, fields?: Record<string, string | Blob>): Promise<Answer>;
  get(path: string, token: string): Promise<Answer>;
  call(path: string, token: string | null, options?: CallOptions): Promise<Answer>;
  /** The HomeworkObject of a class, as an administrator reads it. */
  homework(classId: number): Promise<HomeworkObject>;
  rows<Row extends object = Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<Row[]>;
  /** The names of the files in the store and in the upload directory. */
  storedNames(): Promise<string[]>;
  /** Their number. */
  storedFiles(): Promise<number>;
  /** Publishes an event from another service. */
  publish<Type extends EventType>(type: Type, data: EventData[Type]): Promise<CloudEvent>;
  /** Publishes the same event again. */
  publishAgain(event: CloudEvent): Promise<void>;
  close(): Promise<void>;
}

type CallOptions = { method?: string } & Parameters<HttpClient['request']>[2];

export interface Student {
  id: number;
  token: string;
}

export interface Scene {
  courseId: number;
  classId: number;
  student: Student;
}

export interface SubmissionObject {
  id: number;
  student_name: string | null;
  rating: number | null;
  instructor_comment: string | null;
  submitted_at: string;
  files: { id: number; name: string; url: string }[];
  download_url: string | null;
}

export interface HomeworkObject {
  id: number;
  title: string;
  course_title: string | null;
  assignment_deadline: string | null;
  assignment_description: string | null;
  assignment_file_url: string | null;
  submissions: SubmissionObject[];
}

const classesSince = 1_767_225_600;

/** The homework service as a process, with peers whose responses a test sets. */
export async function startHomeworkService(
  env: Record<string, string> | ((database: TestDatabase) => Promise<Record<string, string>>) = {},
): Promise<HomeworkService> {
  const [database, peers, tokens] = await Promise.all([
    createTestDatabase(),
    startFakePeers(),
    startTokenIssuer(),
  ]);
  const settings = typeof env === 'function' ? await env(database) : env;
  const service = await startService({ service: 'homework', database, peers, tokens, env: settings });
  const admin = tokens.sign(1, 'admin');
  const pdf = new Blob([await makePdf('Homework')]);
  let lastId = 100;
  let broker: Broker | undefined;

  const call: HomeworkService['call'] = (path, token, { method = 'GET', ...options } = {}) =>
    createHttpClient({ baseUrl: service.url, token: token ?? undefined }).request(method, path, options);
  const rows: HomeworkService['rows'] = (sql, ...values) => database.query(sql, values);

  const enroll: HomeworkService['enroll'] = (courseId, name = {}) => {
    lastId += 1;
    const id = lastId;
    const person = { firstName: 'Ada', lastName: `Student ${id}`, email: `${id}@school.example`, ...name };
    peers.users.push({ userId: id, ...person, role: 'user', isBlocked: false, revision: 1 });
    peers.enrollments.set(`${id}/${courseId}`, { paid: true });
    return { id, token: tokens.sign(id, 'user') };
  };

  const setUpClass = (): Scene => {
    lastId += 10;
    const [courseId, classId] = [lastId, lastId + 1];
    const createdAt = { seconds: classesSince + lastId, nanos: 0 };
    peers.courses.push({ courseId, title: `Course ${courseId}`, revision: 1 });
    peers.classes.push({ classId, courseId, title: `Class ${classId}`, createdAt, revision: 1 });
    lastId += 1;
    return { courseId, classId, student: enroll(courseId) };
  };

  const storedNames = async () => {
    // A sweep deletes the bytes of removed files shortly afterwards.
    const removed = 'SELECT id FROM homework.files WHERE removed_at IS NOT NULL';
    await waitFor(async () => (await rows(removed)).length === 0);
    const entries = await readdir(service.directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };

  const put: HomeworkService['put'] = (classId, fields = {}) =>
    call(`/api/v3/admin/homeworks/${classId}`, admin, {
      method: 'PUT',
      body: form(fields, 'homework.pdf'),
    });

  const submit: HomeworkService['submit'] = (classId, student, files = { 'answer.pdf': pdf }) =>
    call(`/api/v3/homeworks/${classId}/submissions`, student.token, {
      method: 'POST',
      body: files instanceof FormData ? files : filesForm(Object.entries(files)),
    });

  const publishAgain: HomeworkService['publishAgain'] = async (event) => {
    broker ??= await openBroker({ url: database.url('broker'), log: createLogger('tests', 'silent') });
    await broker.publish({ event, traceparent: null });
  };

  return {
    service,
    database,
    peers,
    tokens,
    admin,
    pdf,
    call,
    rows,
    enroll,
    setUpClass,
    put,
    submit,
    publishAgain,
    async setUp(assignment = {}) {
      const scene = setUpClass();
      const answer = await put(scene.classId, assignment);
      if (answer.status !== 201) throw new Error(`the assignment was not created: ${answer.status}`);
      return scene;
    },
    async submitted(classId, student, names = ['answer.pdf']) {
      const answer = await submit(classId, student, filesForm(names.map((name) => [name, pdf])));
      if (answer.status !== 201) throw new Error(`the upload failed: ${answer.status}`);
      return answer.body.data;
    },
    grade: (submissionId, body) =>
      call(`/api/v3/admin/homeworks/grade/${submissionId}`, admin, { method: 'POST', body }),
    get: (path, token) => call(path, token),
    async homework(classId) {
      return (await call(`/api/v3/admin/homeworks/${classId}`, admin)).body;
    },
    storedNames,
    storedFiles: async () => (await storedNames()).length,
    async publish(type, data) {
      const event = createEvent('tests', type, 'records/1', data);
      await publishAgain(event);
      return event;
    },
    async close() {
      await broker?.close();
      await service.stop();
      await Promise.all([peers.close(), tokens.close(), database.drop()]);
    },
  };
}

export function filesForm(files: [name: string, file: Blob][]): FormData {
  const data = new FormData();
  for (const [name, file] of files) data.append('files', file, name);
  return data;
}

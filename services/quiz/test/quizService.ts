import { readdir } from 'node:fs/promises';
import { makePdf } from '@gradeway/local/demoPdf';
import { type FakePeers, startFakePeers } from '@gradeway/test/fakePeers';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';

export interface QuizService {
  service: ServiceProcess;
  database: TestDatabase;
  peers: FakePeers;
  tokens: TokenIssuer;
  admin: string;
  pdf: Blob;
  /** A new course with a class, a quiz, and a student who is enrolled and has paid. */
  setUp(quiz?: Record<string, string | Blob>): Promise<Scene>;
  upload(
    scene: Scene,
    change?: Record<string, string | Blob | null>,
    headers?: Record<string, string>,
  ): Promise<Response>;
  get(path: string, token: string): Promise<Response>;
  post(path: string, token: string, body: unknown): Promise<Response>;
  /** Sends a form as the administrator. */
  patch(path: string, fields: Record<string, string | Blob>): Promise<Response>;
  /** The number of files in the store and in the upload directory. */
  storedFiles(): Promise<number>;
  close(): Promise<void>;
}

export interface Scene {
  courseId: number;
  classId: number;
  quizId: number;
  studentId: number;
  student: string;
}

/** The quiz service in a process of its own, with peers whose responses a test sets. */
export async function startQuizService(env: Record<string, string> = {}): Promise<QuizService> {
  const [database, peers, tokens] = await Promise.all([
    createTestDatabase(),
    startFakePeers(),
    startTokenIssuer(),
  ]);
  const service = await startService({ service: 'quiz', database, peers, tokens, env });
  const admin = tokens.sign(1, 'admin');
  const pdf = new Blob([await makePdf('Answers')]);
  let lastId = 100;

  const call = (path: string, token: string, init: RequestInit = {}) =>
    fetch(service.url + path, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });

  return {
    service,
    database,
    peers,
    tokens,
    admin,
    pdf,
    async setUp(quiz = {}) {
      lastId += 10;
      const [courseId, classId, studentId] = [lastId, lastId + 1, lastId + 2];
      peers.courses.push({ courseId, title: `Course ${courseId}`, revision: 1 });
      peers.classes.push({ classId, courseId, title: 'Class', createdAt: null, revision: 1 });
      peers.enrollments.set(`${studentId}/${courseId}`, { paid: true });
      const name = { firstName: 'Ada', lastName: `Student ${studentId}`, email: '' };
      peers.users.push({ userId: studentId, ...name, role: 'user', isBlocked: false, revision: 1 });
      const body = form({ title: 'Quiz', course_id: String(courseId), ...quiz });
      const created = await call('/api/v3/quiz/pdf-quizzes', admin, { method: 'POST', body });
      const { data } = (await created.json()) as { data: { id: number } };
      return { courseId, classId, studentId, quizId: data.id, student: tokens.sign(studentId, 'user') };
    },
    upload(scene, change = {}, headers = {}) {
      const fields = {
        file: pdf,
        course_id: String(scene.courseId),
        quiz_id: String(scene.quizId),
        duration: '30',
        start_at: new Date().toISOString().slice(0, 19),
      };
      return call('/api/v3/quiz/submit-pdf', scene.student, {
        method: 'POST',
        body: form({ ...fields, ...change }),
        headers,
      });
    },
    get: (path, token) => call(path, token),
    post: (path, token, body) =>
      call(path, token, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    patch: (path, fields) => call(path, admin, { method: 'PATCH', body: form(fields) }),
    async storedFiles() {
      const entries = await readdir(service.directory, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).length;
    },
    async close() {
      await service.stop();
      await Promise.all([peers.close(), tokens.close(), database.drop()]);
    },
  };
}

function form(fields: Record<string, string | Blob | null>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) data.append(name, value, 'answers.pdf');
    else if (value !== null) data.append(name, value);
  }
  return data;
}

import { readdir } from 'node:fs/promises';
import { makePdf } from '@gradeway/local/demoPdf';
import { type FakePeers, startFakePeers } from '@gradeway/test/fakePeers';
import { type Answer, createHttpClient, form } from '@gradeway/test/httpClient';
import { scrape } from '@gradeway/test/metrics';
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
    change?: Record<string, string | Blob | undefined>,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  get(path: string, token: string): Promise<Answer>;
  post(path: string, token: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a form as the administrator. */
  patch(path: string, fields: Record<string, string | Blob>): Promise<Answer>;
  /** The names of the files in the store and in the upload directory. */
  storedNames(): Promise<string[]>;
  /** Their number. */
  storedFiles(): Promise<number>;
  /** The number of forms that are being received. */
  uploadsInFlight(): Promise<number | undefined>;
  close(): Promise<void>;
}

export interface Scene {
  courseId: number;
  classId: number;
  quizId: number;
  studentId: number;
  student: string;
}

/** The quiz service as a process, with peers whose responses a test sets. */
export async function startQuizService(
  env: Record<string, string> | ((database: TestDatabase) => Promise<Record<string, string>>) = {},
): Promise<QuizService> {
  const [database, peers, tokens] = await Promise.all([
    createTestDatabase(),
    startFakePeers(),
    startTokenIssuer(),
  ]);
  const settings = typeof env === 'function' ? await env(database) : env;
  const service = await startService({ service: 'quiz', database, peers, tokens, env: settings });
  const admin = tokens.sign(1, 'admin');
  const pdf = new Blob([await makePdf('Answers')]);
  let lastId = 100;

  const storedNames = async () => {
    const entries = await readdir(service.directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };
  const clientOf = (token: string) => createHttpClient({ baseUrl: service.url, token });

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
      const fields = form({ title: 'Quiz', course_id: String(courseId), ...quiz });
      const { body } = await clientOf(admin).post('/api/v3/quiz/pdf-quizzes', fields);
      return { courseId, classId, studentId, quizId: body.data.id, student: tokens.sign(studentId, 'user') };
    },
    upload(scene, change = {}, headers = {}) {
      const fields = {
        file: pdf,
        course_id: String(scene.courseId),
        quiz_id: String(scene.quizId),
        duration: '30',
        start_at: new Date().toISOString().slice(0, 19),
      };
      const client = clientOf(scene.student);
      return client.post('/api/v3/quiz/submit-pdf', form({ ...fields, ...change }), headers);
    },
    get: (path, token) => clientOf(token).get(path),
    post: (path, token, body, headers) => clientOf(token).post(path, body, headers),
    patch: (path, fields) => clientOf(admin).patch(path, form(fields)),
    storedNames,
    storedFiles: async () => (await storedNames()).length,
    uploadsInFlight: async () => (await scrape(service.adminUrl)).value('gradeway_uploads_in_flight'),
    async close() {
      await service.stop();
      await Promise.all([peers.close(), tokens.close(), database.drop()]);
    },
  };
}

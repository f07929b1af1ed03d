import { makePdf } from '@gradeway/local/demoPdf';
import { now } from '@gradeway/test/fixtures';
import { createHttpClient, form, type HttpClient } from '@gradeway/test/httpClient';
import type { TokenIssuer } from '@gradeway/test/tokenIssuer';
import { waitFor } from '@gradeway/test/waitFor';
import type { BenchProcess } from '../processes/benchProcess.ts';
import { importSchool } from '../school/importSchool.ts';
import { schoolCsv } from '../school/schoolCsv.ts';
import { known } from './fillSchool.ts';
import { useBackgroundWork } from './useBackgroundWork.ts';
import { useGrading } from './useGrading.ts';
import { useTeaching } from './useTeaching.ts';

type Service = 'auth' | 'courses' | 'homework' | 'quiz';

export const adminOfBench = { email: 'admin@bench.example', password: 'a password of the benchmark' };

const rounds = 5;

/** Sends every request that reads or writes the tables that grow, several times. @throws Error when one is refused */
export async function useSchool(
  running: Record<Service, BenchProcess>,
  tokens: TokenIssuer,
  urlOf: (service: Service) => string,
): Promise<void> {
  const as = (service: Service, token: string) => checked(running[service].url, token);
  const [admin, student] = [tokens.sign(1, 'admin'), tokens.sign(known.student, 'user')];
  const instructor = tokens.sign(known.instructor, 'instructor');
  for (let round = 0; round < rounds; round += 1) {
    await useQuiz(as('quiz', admin), as('quiz', student), round);
    await useHomework(as('homework', admin), as('homework', student));
    await useAuth(running.auth.url);
    await useGrading(as('quiz', admin), { kind: 'quizzes', itemId: known.quiz, courseId: known.course });
    await useGrading(as('homework', admin), { kind: 'homeworks', itemId: 7, courseId: known.course });
    await useTeaching(as('courses', admin), as('courses', instructor), known.course);
  }
  await importSchool(running.courses, admin, schoolCsv('new', 2_000));
  // Grades arrive as events.
  await waitFor(async () => (await as('courses', student).get('/api/v3/grades')).status === 200);
  for (let round = 0; round < rounds; round += 1) {
    const gradebook = `/api/v3/admin/courses/${known.course}/gradebook`;
    const students = `/api/v3/admin/courses/${known.course}/students`;
    for (const path of [gradebook, `${gradebook}?format=csv`, students, `${students}?search=last1`])
      await as('courses', admin).get(path);
    for (const path of ['/api/v3/grades', '/api/v3/courses']) await as('courses', student).get(path);
  }
  await useBackgroundWork(urlOf);
}

async function useQuiz(admin: HttpClient, student: HttpClient, round: number): Promise<void> {
  for (const path of ['', '?page=3', `/${known.quiz}`]) await admin.get(`/api/v3/quiz/pdf-quizzes${path}`);
  for (const path of ['submissions', 'available']) await student.get(`/api/v3/quiz/${path}`);
  for (const id of [101, 1_001, 10_001]) {
    await admin.post(
      `/api/v3/quiz/pdf-quizzes/grade/${id}`,
      { grade: round, total_grade: 10 },
      { 'idempotency-key': crypto.randomUUID() },
    );
    await admin.get(`/api/v3/quiz/pdf-quizzes/grade/${id}/history`);
  }
  const quiz = { title: 'A quiz', course_id: `${known.course}` };
  const { id } = (await admin.post('/api/v3/quiz/pdf-quizzes', form(quiz))).body.data;
  const sheet = { course_id: `${known.course}`, quiz_id: `${id}`, duration: '30', start_at: now() };
  const key = () => ({ 'idempotency-key': crypto.randomUUID() });
  const file = new Blob([await makePdf('Answers')]);
  for (let upload = 0; upload < 3; upload += 1)
    await student.post('/api/v3/quiz/submit-pdf', form({ ...sheet, file }), key());
  // It is refused after its file has been stored or checked.
  const broken = form({ ...sheet, file: new Blob(['%PDF-1.4 broken']) });
  await student.request('POST', '/api/v3/quiz/submit-pdf', { body: broken }).catch(() => {});
}

async function useHomework(admin: HttpClient, student: HttpClient): Promise<void> {
  for (const path of ['', '?page=3', `?course_id=${known.course}`, '/7'])
    await admin.get(`/api/v3/admin/homeworks${path}`);
  await student.get('/api/v3/homeworks');
  for (let upload = 0; upload < 2; upload += 1)
    await student.post(
      '/api/v3/homeworks/7/submissions',
      form({ files: new Blob([await makePdf('Homework')]) }),
    );
  for (const id of [101, 1_001]) {
    await admin.post(`/api/v3/admin/homeworks/grade/${id}`, { rating: 7 });
    await admin.get(`/api/v3/admin/homeworks/submissions/${id}/history`);
  }
}

async function useAuth(url: string): Promise<void> {
  const { access_token: token } = (
    await checked(url).post('/api/v3/login', { ...adminOfBench, device_token: 'a device of the benchmark' })
  ).body;
  const admin = checked(url, token);
  const filters = ['', '?actor_id=11', '?action=quiz.graded', '?object_type=user&object_id=11'];
  for (const filter of filters) await admin.get(`/api/v3/admin/audit${filter}`);
  await admin.get('/api/v3/admin/users');
  const { access_token: refreshed } = (await admin.post('/api/v3/token/refresh')).body;
  await checked(url, refreshed).post('/api/v3/logout');
}

const checked = (baseUrl: string, token?: string): HttpClient =>
  createHttpClient({
    baseUrl,
    token,
    check(method, { pathname }, { status, body }) {
      const isRefusal = pathname.endsWith('submit-pdf') && status === 422;
      if (status >= 300 && !isRefusal)
        throw new Error(`${method} ${pathname} returned ${status}: ${JSON.stringify(body)}`);
    },
  });

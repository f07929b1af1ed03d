import { Fixtures } from '@gradeway/test/fixtures';
import type { HttpClient } from '@gradeway/test/httpClient';
import type { LocalSystem } from '@gradeway/test/localSystem';
import { scrape } from '@gradeway/test/metrics';
import { waitFor } from '@gradeway/test/waitFor';

/** Paths with ids, addresses and other values that must not become label values. */
const oddPaths = [
  '/api/v3/admin/homeworks/ada@test.example',
  `/api/v3/admin/users/${crypto.randomUUID()}`,
  '/api/v3/quiz/pdf-quizzes/999999999999999999999',
  '/api/v3/files/quiz/12?expires=1&signature=2',
  '/api/v3/nothing/12/127.0.0.1',
  '/docs/12/x',
  '/%2e%2e/%00/http://evil.example/',
];

/**
 * Sends requests that give every metric a sample. Two logins open a session, and one is refused. One grading is sent
 * three times with one idempotency key, the third time with another body.
 */
export async function exerciseMetrics(system: LocalSystem): Promise<void> {
  const { adminEmail: email } = system;
  const fixtures = new Fixtures(system);
  const scene = await fixtures.newScene();
  const admin = await fixtures.asAdmin();
  const anonymous = fixtures.callAs();
  await fixtures.logIn(email, 'wrong');
  await anonymous.post('/api/v3/login/otp', { email });
  await fixtures.submitQuiz(scene);
  const [submission] = await fixtures.quizSubmissions(scene.quizId);
  await anonymous.get(submission.pdf_answer_url);
  for (const grade of [8, 8, 9]) await gradeWithKey(admin, submission.id, grade);
  await fixtures.waitForGrades(scene.student, 1);
  await gradeByRubric(admin, scene.quizId, submission.id);
  for (const path of oddPaths) for (const client of [anonymous, admin]) await client.get(path);
  await abortUpload(system, scene.student);
}

const gradeWithKey = (admin: HttpClient, submissionId: number, grade: number) =>
  admin.post(
    `/api/v3/quiz/pdf-quizzes/grade/${submissionId}`,
    { grade, total_grade: 10 },
    { 'idempotency-key': 'the-grade' },
  );

/** Grades with a rubric, and regrades by changing it. */
async function gradeByRubric(admin: HttpClient, quizId: number, submissionId: number): Promise<void> {
  const path = `/api/v3/grading/quizzes`;
  const body = { mode: 'add', max_points: 10, items: [{ points: 6, text: 'The proof is complete.' }] };
  const rubric = await admin.put(`${path}/${quizId}/rubric`, body, { 'if-none-match': '*' });
  const { items, revision } = rubric.body.data;
  await admin.post(`${path}/${quizId}/next`);
  const selection = items.map(({ id }: { id: number }) => id);
  const grading = { selection, rubric_revision: revision };
  await admin.put(`${path}/submissions/${submissionId}`, grading, { 'if-match': '*' });
  const changed = { ...body, items: [{ ...items[0], points: 7 }] };
  await admin.put(`${path}/${quizId}/rubric`, changed, { 'if-match': '*' });
}

/** Aborts an upload after its first bytes, and waits until quiz has counted it. */
async function abortUpload(system: LocalSystem, student: HttpClient): Promise<void> {
  const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('--b\r\n')) });
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const signal = AbortSignal.timeout(300);
  await student.request('POST', '/api/v3/quiz/submit-pdf', { body, headers, signal }).catch(() => {});
  const { adminPort } = await system.process('quiz');
  await waitFor(async () =>
    (await scrape(`http://127.0.0.1:${adminPort}`)).value('gradeway_http_requests_aborted_total'),
  );
}

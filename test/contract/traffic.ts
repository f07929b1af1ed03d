import type { LocalSystem } from '@gradeway/test/localSystem';
import { scrape } from '@gradeway/test/metrics';
import { waitFor } from '@gradeway/test/waitFor';
import { clientOf, type FaultScene, sceneIn } from '../faults/faults.ts';

/** Requests with ids, addresses and worse in their paths. */
const odd = [
  '/api/v3/admin/homeworks/ada@test.example',
  `/api/v3/admin/users/${crypto.randomUUID()}`,
  '/api/v3/quiz/pdf-quizzes/999999999999999999999',
  '/api/v3/files/quiz/12?expires=1&signature=2',
  '/api/v3/nothing/12/127.0.0.1',
  '/docs/12/x',
  '/%2e%2e/%00/http://evil.example/',
];

/**
 * A little of everything, also of what should not be, so that every metric is measured once. Of logins two are opened
 * and one is refused; one grade is told three times under one key, the third time another.
 */
export async function useEverything(system: LocalSystem): Promise<void> {
  const { baseUrl, adminEmail: email, adminPassword: password } = system;
  const scene = await sceneIn(baseUrl, email, password);
  const anybody = clientOf(baseUrl);
  await anybody.call('POST', '/api/v3/login', { email, password: 'wrong' });
  await anybody.call('POST', '/api/v3/login/otp', { email });
  await submitAndGrade(scene);
  const tokens = [undefined, `Bearer ${scene.admin.token}`];
  for (const path of odd)
    for (const authorization of tokens)
      await (await fetch(baseUrl + path, { headers: authorization ? { authorization } : {} })).arrayBuffer();
  await leaveUpload(system, scene);
}

async function submitAndGrade({ admin, student, upload, submissions }: FaultScene): Promise<void> {
  await upload();
  const [submission] = await submissions();
  await (await fetch(submission.pdf_answer_url)).arrayBuffer();
  const address = new URL(`/api/v3/quiz/pdf-quizzes/grade/${submission.id}`, submission.pdf_answer_url);
  const headers = {
    authorization: `Bearer ${admin.token}`,
    'content-type': 'application/json',
    'idempotency-key': 'the-grade',
  };
  for (const grade of [8, 8, 9]) {
    const body = JSON.stringify({ grade, total_grade: 10 });
    await (await fetch(address, { method: 'POST', body, headers })).arrayBuffer();
  }
  await waitFor(async () => (await student.call('GET', '/api/v3/grades')).body.data.length > 0);
}

/** Begins an upload and goes away; waits until that was noticed. */
async function leaveUpload(system: LocalSystem, { student }: FaultScene): Promise<void> {
  const leaving = AbortSignal.timeout(300);
  const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('--b\r\n')) });
  const headers = {
    authorization: `Bearer ${student.token}`,
    'content-type': 'multipart/form-data; boundary=b',
  };
  const init = { method: 'POST', body, duplex: 'half', signal: leaving, headers } as RequestInit;
  await fetch(`${system.baseUrl}/api/v3/quiz/submit-pdf`, init).catch(() => {});
  const { adminPort } = await system.process('quiz');
  await waitFor(async () => {
    const now = await scrape(`http://127.0.0.1:${adminPort}`);
    return now.value('gradeway_http_requests_aborted_total');
  });
}

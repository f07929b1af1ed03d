import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fixtures } from '@gradeway/test/fixtures';
import { sendHalfUpload } from '@gradeway/test/halfSentRequest';
import { waitFor } from '@gradeway/test/waitFor';

type System = ConstructorParameters<typeof Fixtures>[0];

// IANA has not assigned this block, so nothing routes it, and it is not private, so a webhook may have the address.
const unreachableReceiver = 'https://[3000::1]/events';

/**
 * The requests of an ordinary day, for the given number of seconds: logins with right and wrong passwords, uploads, gradings,
 * lists, downloads, an aborted upload, an unknown path, a webhook whose receiver is unreachable. Returns the number of rounds.
 */
export async function runEverydayLoad(system: System, seconds: number): Promise<number> {
  const fixtures = new Fixtures(system);
  const admin = await fixtures.asAdmin();
  const scene = await fixtures.newScene();
  const webhook = { url: unreachableReceiver, event_types: ['quiz.submission.graded.v1'] };
  const created = await admin.post('/api/v3/admin/webhooks', webhook);
  if (created.status !== 201)
    throw new Error(`creating the webhook returned ${JSON.stringify(created.body)}`);
  await fixtures.callAs().post('/api/v3/login/otp', { email: scene.student.email });

  const until = Date.now() + seconds * 1000;
  let rounds = 0;
  for (; Date.now() < until; rounds++) {
    await fixtures.submitQuiz(scene);
    const [sheet] = await fixtures.quizSubmissions(scene.quizId);
    const grade = { grade: rounds % 10, total_grade: 10 };
    const key = { 'idempotency-key': randomUUID() };
    const graded = await admin.post(`/api/v3/quiz/pdf-quizzes/grade/${sheet.id}`, grade, key);
    if (graded.status !== 200) throw new Error(`a grading returned ${JSON.stringify(graded.body)}`);
    await fixtures.callAs().get(sheet.pdf_answer_url);
    await fixtures.submitHomework(scene);
    await scene.student.get('/api/v3/grades');
    await admin.get('/api/v3/admin/homeworks');
    await admin.get(`/api/v3/admin/courses/${scene.courseId}/students?search=${scene.student.lastName}`);
    await admin.patch(`/api/v3/admin/users/${scene.student.id}`, { first_name: `Ada${rounds}` });
    await fixtures.logIn(scene.student.email, scene.student.password);
    await scene.student.get('/api/v3/nothing');
    // A larger number would be an incident.
    if (rounds >= 3) continue;
    await fixtures.logIn(scene.student.email, 'a wrong password');
    await abortUpload(system.baseUrl, scene.student.token ?? '');
  }
  const webhookPath = `/api/v3/admin/webhooks/${created.body.data.id}`;
  await waitFor(async () => {
    const { data } = (await admin.get(`${webhookPath}/deliveries?per_page=100`)).body;
    return data.some(({ attempts }: { attempts: number }) => attempts > 0);
  });
  await admin.delete(webhookPath);
  return rounds;
}

async function abortUpload(baseUrl: string, token: string): Promise<void> {
  const { socket } = sendHalfUpload(baseUrl, token);
  await sleep(300);
  socket.destroy();
}

import { checkPayload } from '@gradeway/test/openApi';
import { type Received, type Receiver, startReceiver } from '@gradeway/test/receiver';
import {
  asAdmin,
  newCourse,
  newScene,
  newStudent,
  quizSubmissions,
  type Scene,
  submitHomework,
  submitQuiz,
  unique,
} from '@gradeway/test/school';
import { waitFor } from '@gradeway/test/waitFor';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

const webhooks = '/api/v3/admin/webhooks';

// A system that somebody else runs sends nothing to this machine: it refuses private addresses.
const { isOurs } = inject('system');
if (!isOurs) console.warn('\n*** BASE_URL: the tests that receive webhooks are SKIPPED ***\n');

describe.skipIf(!isOurs)('a program without a broker', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  async function subscribe(event_types: string[]) {
    const path = `/${unique()}`;
    const made = await (await asAdmin()).post(webhooks, { url: receiver.url + path, event_types });
    const { id, secret } = made.body.data as { id: number; secret: string };
    return { path, id, secret };
  }

  /** What a receiver makes of a request: the payload, if it is signed and as the document describes it. */
  function read({ body, headers }: Received, secret: string) {
    const payload = new Webhook(secret).verify(body, headers) as {
      type: string;
      data: Record<string, unknown>;
    };
    checkPayload(payload);
    return payload;
  }

  /** Waits for the request that tells of something. Tests run beside others, whose events come here as well. */
  async function requestOf(
    path: string,
    isIt: (data: Record<string, unknown>) => boolean,
  ): Promise<Received> {
    const find = () =>
      receiver.received.find((each) => each.path === path && isIt(JSON.parse(each.body).data));
    await waitFor(() => find() !== undefined);
    return find() as Received;
  }

  async function grade({ quizId }: Scene, grade: number) {
    const [{ id }] = await quizSubmissions(quizId);
    const path = `/api/v3/quiz/pdf-quizzes/grade/${id}`;
    expect((await (await asAdmin()).post(path, { grade, total_grade: 10 })).status).toBe(200);
    return id as number;
  }

  test('is told of a grade by a signed message, which is listed as delivered', async () => {
    const scene = await newScene();
    await submitQuiz(scene);
    const { path, id, secret } = await subscribe(['quiz.submission.graded.v1']);
    const submission_id = await grade(scene, 7);
    const request = await requestOf(path, (data) => data.submission_id === submission_id);
    expect(read(request, secret)).toMatchObject({
      type: 'quiz.submission.graded.v1',
      data: { quiz_id: scene.quizId, course_id: scene.courseId, student_id: scene.student.id, grade: 7 },
    });
    const admin = await asAdmin();
    await waitFor(async () => {
      const { body } = await admin.get(`${webhooks}/${id}/deliveries?per_page=100`);
      const delivery = body.data.find(
        (each: { event_id: string }) => each.event_id === request.headers['webhook-id'],
      );
      return delivery.status === 'delivered';
    });
    expect((await admin.delete(`${webhooks}/${id}`)).status).toBe(204);
  });

  test('that was down is told when it is back, and what failed for good is replayed', async () => {
    const admin = await asAdmin();
    const scene = await newScene();
    await submitQuiz(scene);
    const { path, id, secret } = await subscribe(['quiz.submission.graded.v1']);
    let down = true;
    receiver.answer((req, res) => res.writeHead(down && req.url === path ? 503 : 200).end());
    const submission_id = await grade(scene, 4);
    await waitFor(async () => {
      const { body } = await admin.get(`${webhooks}/${id}/deliveries?status=failed`);
      return body.data.some((each: { attempts: number }) => each.attempts === 3);
    });
    expect((await admin.get(`${webhooks}/${id}`)).body.data.failing_since).not.toBeNull();
    const before = receiver.received.filter((each) => each.path === path).length;
    down = false;
    const replayed = await admin.post(`${webhooks}/${id}/replay`, { since: '2026-01-01T00:00:00Z' });
    expect(replayed.body.data.replayed).toBeGreaterThan(0);
    await waitFor(() =>
      receiver.received
        .filter((each) => each.path === path)
        .slice(before)
        .some((each) => read(each, secret).data.submission_id === submission_id),
    );
    await admin.delete(`${webhooks}/${id}`);
  });

  test('is told everything by `*`, each message as the document describes it', async () => {
    const admin = await asAdmin();
    const { path, id, secret } = await subscribe(['*']);
    const scene = await newScene();
    await submitQuiz(scene);
    await submitHomework(scene);
    await grade(scene, 9);
    const { body } = await admin.get(`/api/v3/admin/homeworks/${scene.classId}`);
    const submission = body.submissions[0].id;
    await admin.post(`/api/v3/admin/homeworks/grade/${submission}`, { rating: 8, comment: null });
    const leaver = await newStudent();
    await admin.delete(`/api/v3/admin/courses/${scene.courseId}/students/${scene.student.id}`);
    await admin.delete(`/api/v3/admin/users/${leaver.id}`);
    await admin.delete(`/api/v3/admin/classes/${scene.classId}`);
    await admin.delete(`/api/v3/admin/courses/${scene.courseId}`);
    await admin.post(`${webhooks}/${id}/test`);
    const types = () =>
      new Set(receiver.received.filter((each) => each.path === path).map((each) => read(each, secret).type));
    const all = [
      ...[
        'homework.submission.submitted.v1',
        'homework.submission.graded.v1',
        'quiz.submission.submitted.v1',
      ],
      ...['quiz.submission.graded.v1', 'user.changed.v1', 'user.deleted.v1', 'course.changed.v1'],
      ...['course.deleted.v1', 'class.changed.v1', 'class.deleted.v1', 'enrollment.changed.v1'],
      ...['enrollment.deleted.v1', 'webhook.test.v1'],
    ];
    await waitFor(() => all.every((type) => types().has(type)), 15_000);
    expect([...types()].toSorted()).toEqual(all.toSorted());
    await admin.delete(`${webhooks}/${id}`);
  });

  test('gets another secret while the old one still signs, and is switched off and deleted', async () => {
    const admin = await asAdmin();
    const { path, id, secret } = await subscribe(['course.changed.v1']);
    const rotated = await admin.post(`${webhooks}/${id}/rotate-secret`);
    expect(rotated.body.data.secret).not.toBe(secret);
    const courseId = await newCourse();
    const request = await requestOf(path, (data) => data.id === courseId);
    for (const each of [secret, rotated.body.data.secret]) read(request, each);

    const list = await admin.get(`${webhooks}?per_page=100`);
    const listed = list.body.data.find((each: { id: number }) => each.id === id);
    expect(listed).toMatchObject({ event_types: ['course.changed.v1'], is_active: true });
    expect((await admin.patch(`${webhooks}/${id}`, { is_active: false })).body.data.is_active).toBe(false);
    expect((await admin.post(`${webhooks}/${id}/test`)).status).toBe(409);
    const [delivery] = (await admin.get(`${webhooks}/${id}/deliveries`)).body.data;
    expect((await admin.post(`${webhooks}/${id}/deliveries/${delivery.id}/replay`)).status).toBe(409);
    await admin.patch(`${webhooks}/${id}`, { is_active: true });
    const replayed = await admin.post(`${webhooks}/${id}/deliveries/${delivery.id}/replay`);
    expect(replayed.status).toBe(200);
    expect((await admin.delete(`${webhooks}/${id}`)).status).toBe(204);
  });
});

test('only administrators see webhooks, and fields are checked', async () => {
  const admin = await asAdmin();
  const student = await newStudent();
  expect((await student.get(webhooks)).status).toBe(403);
  expect((await student.post(webhooks, {})).status).toBe(403);
  expect((await admin.post(webhooks, { url: 'https://169.254.169.254/', event_types: ['*'] })).body).toEqual({
    message: 'Invalid Data',
    errors: { url: ['The url must lead to a public address.'] },
  });
  expect((await admin.get(`${webhooks}/2147483647`)).status).toBe(404);
  expect((await admin.get(`${webhooks}/x/deliveries`)).status).toBe(404);
  expect((await admin.put(`${webhooks}/1`, {})).status).toBe(405);
});

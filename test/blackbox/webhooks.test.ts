import { type Scene, unique } from '@gradeway/test/fixtures';
import { checkPayload } from '@gradeway/test/openApi';
import { waitFor } from '@gradeway/test/waitFor';
import {
  type ReceivedRequest,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@gradeway/test/webhookReceiver';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  asAdmin,
  assignInstructor,
  newCourse,
  newScene,
  newStudent,
  quizSubmissions,
  submitHomework,
  submitQuiz,
} from './fixtures.ts';

const webhooks = '/api/v3/admin/webhooks';

// A remote system refuses the private address of the receiver.
const { isLocal } = inject('system');
if (!isLocal) console.warn('\n*** BASE_URL: the tests that receive webhooks are SKIPPED ***\n');

describe.skipIf(!isLocal)('a subscribed receiver', () => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(() => receiver.close());

  async function subscribe(event_types: string[]) {
    const path = `/${unique()}`;
    const made = await (await asAdmin()).post(webhooks, { url: receiver.url + path, event_types });
    const { id, secret } = made.body.data as { id: number; secret: string };
    return { path, id, secret };
  }

  /** Verifies the signature of a request and returns its payload, checked against the OpenAPI document. */
  function read({ body, headers }: ReceivedRequest, secret: string) {
    const payload = new Webhook(secret).verify(body, headers) as {
      type: string;
      data: Record<string, unknown>;
    };
    checkPayload(payload);
    return payload;
  }

  /** Waits for the request with matching data. Events of other tests also arrive. */
  const requestWith = (
    path: string,
    matches: (data: Record<string, unknown>) => boolean,
  ): Promise<ReceivedRequest> =>
    waitFor(() =>
      receiver.received.find((each) => each.path === path && matches(JSON.parse(each.body).data)),
    );

  async function grade({ quizId }: Scene, grade: number) {
    const [{ id }] = await quizSubmissions(quizId);
    const path = `/api/v3/quiz/pdf-quizzes/grade/${id}`;
    expect((await (await asAdmin()).post(path, { grade, total_grade: 10 })).status).toBe(200);
    return id as number;
  }

  test('a receiver gets a signed message for a grade, and the delivery is listed', async () => {
    const scene = await newScene();
    await submitQuiz(scene);
    const { path, id, secret } = await subscribe(['quiz.submission.graded.v1']);
    const submission_id = await grade(scene, 7);
    const request = await requestWith(path, (data) => data.submission_id === submission_id);
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

  test('a receiver gets a release and a withdrawal of grades once each, and grades that are held back without a time', async () => {
    const admin = await asAdmin();
    const scene = await newScene();
    await submitQuiz(scene);
    const { path, id, secret } = await subscribe([
      'quiz.submission.graded.v1',
      'quiz.grades.released.v1',
      'quiz.grades.withheld.v1',
    ]);
    const release = `/api/v3/grading/quizzes/${scene.quizId}/release`;
    for (let time = 0; time < 2; time += 1) expect((await admin.delete(release)).status).toBe(200);
    const submission_id = await grade(scene, 7);
    for (let time = 0; time < 2; time += 1) expect((await admin.post(release)).status).toBe(200);
    const graded = await requestWith(path, (data) => data.submission_id === submission_id);
    expect(read(graded, secret).data).toMatchObject({ grade: 7, visible_from: null });
    await requestWith(path, (data) => data.item_id === scene.quizId && data.released_at !== null);
    // The same messages may arrive again, but no others.
    const messages = new Map(
      receiver.received
        .filter((each) => each.path === path)
        .map((each) => [each.headers['webhook-id'], read(each, secret)]),
    );
    const types = [...messages.values()]
      .filter(({ data }) => data.item_id === scene.quizId)
      .map(({ type }) => type);
    expect(types.toSorted()).toEqual(['quiz.grades.released.v1', 'quiz.grades.withheld.v1']);
    await admin.delete(`${webhooks}/${id}`);
  });

  test('a receiver that was down gets the message by a replay of failed deliveries', async () => {
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

  test('a subscription to `*` gets every event type, each as the OpenAPI document describes it', async () => {
    const admin = await asAdmin();
    const { path, id, secret } = await subscribe(['*']);
    const scene = await newScene();
    await submitQuiz(scene);
    await submitHomework(scene);
    await grade(scene, 9);
    const { body } = await admin.get(`/api/v3/admin/homeworks/${scene.classId}`);
    const submission = body.submissions[0].id;
    await admin.post(`/api/v3/admin/homeworks/grade/${submission}`, { rating: 8, comment: null });
    const items = [`quizzes/${scene.quizId}`, `homeworks/${scene.classId}`];
    for (const item of items) await admin.delete(`/api/v3/grading/${item}/release`);
    // A submission whose grade is hidden loses it when the student hands in again.
    await submitQuiz(scene);
    await submitHomework(scene);
    for (const item of items) await admin.post(`/api/v3/grading/${item}/release`);
    const { data: sheets } = (await admin.get(`/api/v3/grading/${items[0]}/submissions`)).body;
    for (const work of [`quizzes/submissions/${sheets[0].id}`, `homeworks/submissions/${submission}`]) {
      const review = await admin.post(`/api/v3/grading/${work}/reviews`, {
        text: 'Please look at it again.',
      });
      const [kind] = work.split('/');
      const closed = { state: 'closed', answer: 'The grade is right.' };
      const etag = { 'if-match': review.body.data.tag };
      await admin.put(`/api/v3/grading/${kind}/reviews/${review.body.data.id}`, closed, etag);
    }
    const [leaver, instructor] = [await newStudent(), await newStudent({ role: 'instructor' })];
    await assignInstructor(scene.courseId, instructor);
    await admin.delete(`/api/v3/admin/courses/${scene.courseId}/instructors/${instructor.id}`);
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
      ...['enrollment.deleted.v1', 'course.instructor.assigned.v1', 'course.instructor.removed.v1'],
      ...['homework.submission.ungraded.v1', 'quiz.submission.ungraded.v1'],
      ...['homework.published.v1', 'homework.grades.withheld.v1', 'homework.grades.released.v1'],
      ...['quiz.published.v1', 'quiz.grades.withheld.v1', 'quiz.grades.released.v1'],
      ...['homework.review.opened.v1', 'homework.review.closed.v1'],
      ...['quiz.review.opened.v1', 'quiz.review.closed.v1'],
      'webhook.test.v1',
    ];
    await waitFor(() => all.every((type) => types().has(type)));
    expect([...types()].toSorted()).toEqual(all.toSorted());
    await admin.delete(`${webhooks}/${id}`);
  });

  test('a rotated secret signs beside the old one, and a subscription is switched off and deleted', async () => {
    const admin = await asAdmin();
    const { path, id, secret } = await subscribe(['course.changed.v1']);
    const rotated = await admin.post(`${webhooks}/${id}/rotate-secret`);
    expect(rotated.body.data.secret).not.toBe(secret);
    const courseId = await newCourse();
    const request = await requestWith(path, (data) => data.id === courseId);
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

test('only administrators manage webhooks, and fields are validated', async () => {
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

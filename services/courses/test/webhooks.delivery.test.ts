import { openDatabase } from '@gradeway/shared/database/connection';
import type { CloudEvent } from '@gradeway/shared/events/cloudEvent';
import { createEvent } from '@gradeway/shared/events/cloudEvent';
import { startService } from '@gradeway/test/serviceProcess';
import { waitFor } from '@gradeway/test/waitFor';
import {
  type ReceivedRequest,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@gradeway/test/webhookReceiver';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { purgeExpired } from '../src/webhooks/data/purgeExpired.ts';
import { type CoursesService, homeworkGraded, quizGraded, startCoursesService } from './coursesService.ts';
import { uniquePath, webhookApi, webhookEnv, webhooksPath } from './webhookFixtures.ts';

let courses: CoursesService;
let receiver: WebhookReceiver;
let hooks: ReturnType<typeof webhookApi>;
const created: number[] = [];

beforeAll(async () => {
  [courses, receiver] = await Promise.all([startCoursesService(webhookEnv), startWebhookReceiver()]);
  hooks = webhookApi(courses);
});
afterAll(async () => {
  await courses.close();
  await receiver.close();
});
afterEach(async () => {
  receiver.answer((_req, res) => res.writeHead(204).end());
  for (const id of created.splice(0)) await courses.request('DELETE', `${webhooksPath}/${id}`);
});

async function subscribe(fields: Record<string, unknown> = {}) {
  const path = uniquePath();
  const types = ['quiz.submission.graded.v1'];
  const webhook = await hooks.create({ url: receiver.url + path, event_types: types, ...fields });
  created.push(webhook.id);
  return { path, webhook };
}

let lastSubmission = 0;
function graded(change: Parameters<typeof quizGraded>[0] = {}): Promise<CloudEvent> {
  lastSubmission += 1;
  const data = quizGraded({ submission_id: lastSubmission, ...change });
  return courses.sendEvent('quiz.submission.graded.v1', data);
}

const verified = ({ body, headers }: ReceivedRequest, secret: string) =>
  new Webhook(secret).verify(body, headers);

describe('deliveries', () => {
  test('a message is signed according to Standard Webhooks, carries the event id and is listed as delivered', async () => {
    const { webhook, path } = await subscribe();
    const event = await graded();
    const [request] = await receiver.waitFor(path, 1);
    expect(verified(request as ReceivedRequest, webhook.secret)).toEqual({
      type: 'quiz.submission.graded.v1',
      timestamp: event.time,
      data: event.data,
    });
    expect(request?.headers).toMatchObject({
      'webhook-id': event.id,
      'content-type': 'application/json',
      'user-agent': 'Gradeway-Webhooks/1',
    });
    expect(await hooks.waitForStatus(webhook.id, 'delivered')).toEqual({
      id: expect.any(Number),
      event_id: event.id,
      event_type: event.type,
      status: 'delivered',
      attempts: 1,
      last_status: 204,
      last_error: null,
      next_attempt_at: null,
      created_at: expect.any(String),
      delivered_at: expect.any(String),
    });
  });

  test('a message about a grade that is held back says that students do not see it', async () => {
    const { webhook, path } = await subscribe();
    await graded({ visible_from: null, item_revision: 1 });
    const [request] = await receiver.waitFor(path, 1);
    expect(verified(request as ReceivedRequest, webhook.secret)).toMatchObject({
      data: { visible_from: null },
    });
  });

  test('only subscribed types are delivered, and `*` subscribes to all', async () => {
    const quizOnly = await subscribe();
    const all = await subscribe({ event_types: ['*'] });
    const homework = await courses.sendEvent(
      'homework.submission.graded.v1',
      homeworkGraded({ submission_id: 9 }),
    );
    const quiz = await graded();
    const received = await receiver.waitFor(all.path, 2);
    expect(received.map(({ headers }) => headers['webhook-id']).toSorted()).toEqual(
      [homework.id, quiz.id].toSorted(),
    );
    expect((await hooks.deliveries(quizOnly.webhook.id)).map((each) => each.event_id)).toEqual([quiz.id]);
  });

  test('a webhook gets each of its event types once when events arrive together', async () => {
    const quizOnly = await subscribe();
    const all = await subscribe({ event_types: ['*'] });
    const quizzes = Array.from({ length: 20 }, (_, index) =>
      courses.sendEvent('quiz.submission.graded.v1', quizGraded({ submission_id: 8_000 + index })),
    );
    const homeworks = Array.from({ length: 20 }, (_, index) =>
      courses.sendEvent('homework.submission.graded.v1', homeworkGraded({ submission_id: 8_000 + index })),
    );
    const idsOf = async (events: Promise<CloudEvent>[]) => (await Promise.all(events)).map(({ id }) => id);
    const [quizIds, homeworkIds] = [await idsOf(quizzes), await idsOf(homeworks)];
    const received = async ({ path }: { path: string }, count: number) =>
      (await receiver.waitFor(path, count)).map(({ headers }) => headers['webhook-id']).toSorted();
    expect(await received(all, 40)).toEqual([...quizIds, ...homeworkIds].toSorted());
    expect(await received(quizOnly, 20)).toEqual(quizIds.toSorted());
  });

  test('a redelivered event creates one delivery', async () => {
    const { webhook, path } = await subscribe();
    const event = createEvent('test', 'quiz.submission.graded.v1', 'x', quizGraded({ submission_id: 7_001 }));
    for (let time = 0; time < 3; time += 1) await courses.publishEvent(event as CloudEvent);
    // A second delivery would be posted before the delivery of a later event.
    const later = await graded();
    const received = await receiver.waitFor(path, 2);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([event.id, later.id]);
    expect(await hooks.deliveries(webhook.id)).toHaveLength(2);
  });

  test('inactive and deleted webhooks get no deliveries', async () => {
    const off = await subscribe({ is_active: false });
    const deleted = await subscribe();
    await courses.request('DELETE', `${webhooksPath}/${deleted.webhook.id}`);
    const control = await subscribe();
    await graded();
    await receiver.waitFor(control.path, 1);
    expect(await hooks.deliveries(off.webhook.id)).toEqual([]);
    expect(receiver.received.filter(({ path }) => path === off.path || path === deleted.path)).toEqual([]);
  });
});

describe('failed attempts', () => {
  test('a failed attempt is retried with the same id and a new signature until it succeeds', async () => {
    const { webhook, path } = await subscribe();
    let responses = 0;
    receiver.answer((_req, res) => {
      responses += 1;
      res.writeHead(responses < 3 ? 500 : 200).end('secret response of an internal system');
    });
    await graded();
    const requests = await receiver.waitFor(path, 3);
    for (const request of requests) expect(() => verified(request, webhook.secret)).not.toThrow();
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const delivery = await hooks.waitForStatus(webhook.id, 'delivered');
    expect([delivery.attempts, delivery.last_status, delivery.last_error]).toEqual([3, 200, null]);
    expect((await hooks.find(webhook.id)).failing_since).toBeNull();
    expect(courses.service.log()).not.toContain('secret response');
  });

  test('a delivery fails at the end of the schedule, and a replay restarts it', async () => {
    const { webhook, path } = await subscribe();
    receiver.answer((_req, res) => res.writeHead(302, { location: '/elsewhere' }).end());
    await graded();
    const failed = await hooks.waitForStatus(webhook.id, 'failed');
    expect(failed).toMatchObject({
      attempts: 3,
      last_status: 302,
      last_error: 'http_status',
      next_attempt_at: null,
    });
    expect((await hooks.find(webhook.id)).failing_since).not.toBeNull();
    expect(receiver.received.some((each) => each.path === '/elsewhere')).toBe(false);

    receiver.answer((_req, res) => res.writeHead(200).end());
    const replay = await hooks.post(`${webhook.id}/deliveries/${failed.id}/replay`);
    expect([replay.status, replay.body]).toEqual([
      200,
      { status: true, message: 'The delivery will be sent again.' },
    ]);
    await receiver.waitFor(path, 4);
    expect(await hooks.waitForStatus(webhook.id, 'delivered')).toMatchObject({ id: failed.id, attempts: 1 });
  });

  test('an attempt at an unreachable receiver has a generic error code', async () => {
    const refused = await subscribe({ url: 'http://127.0.0.1:9/x' });
    const unknown = await subscribe({ url: 'http://receiver.invalid/x' });
    const noTls = await subscribe({ url: receiver.url.replace('http:', 'https:') });
    const silent = await subscribe();
    receiver.answer(() => {});
    await graded();
    const errorOf = async ({ webhook }: typeof silent) =>
      (await hooks.waitForStatus(webhook.id, 'failed')).last_error;
    expect(await Promise.all([refused, unknown, noTls, silent].map(errorOf))).toEqual([
      'refused',
      'unknown_host',
      'tls',
      'timeout',
    ]);
  });

  test('a response 410 Gone disables the webhook, and an administrator can reactivate it', async () => {
    const { webhook, path } = await subscribe();
    receiver.answer((_req, res) => res.writeHead(410).end());
    await graded();
    expect(await hooks.waitForStatus(webhook.id, 'failed')).toMatchObject({ attempts: 1, last_status: 410 });
    expect(await hooks.find(webhook.id)).toMatchObject({ is_active: false, disabled_reason: 'gone' });
    expect((await hooks.post(`${webhook.id}/test`)).status).toBe(409);

    receiver.answer((_req, res) => res.writeHead(200).end());
    await courses.request('PATCH', `${webhooksPath}/${webhook.id}`, courses.admin, { is_active: true });
    expect(await hooks.find(webhook.id)).toMatchObject({ is_active: true, disabled_reason: null });
    const replayed = await hooks.post(`${webhook.id}/replay`, { since: '2026-01-01T00:00:00' });
    expect(replayed.body).toEqual({ data: { replayed: 1 } });
    await receiver.waitFor(path, 2);
  });

  test('a Retry-After header pauses all deliveries to the receiver', async () => {
    const { webhook, path } = await subscribe();
    let [pausedAt, resumedAt] = [0, 0];
    receiver.answer((_req, res) => {
      pausedAt = Date.now();
      res.writeHead(429, { 'retry-after': '2' }).end();
    });
    await graded();
    await receiver.waitFor(path, 1);
    receiver.answer((_req, res) => {
      resumedAt ||= Date.now();
      res.writeHead(200).end();
    });
    await waitFor(async () => (await hooks.find(webhook.id)).failing_since !== null);
    await graded();
    await receiver.waitFor(path, 3);
    expect(resumedAt - pausedAt).toBeGreaterThan(1_900);
  });

  test('an undecryptable secret does not count against the receiver', async () => {
    const { webhook } = await subscribe();
    const sql = "UPDATE courses.webhook_subscriptions SET secret = 'damaged' WHERE id = $1";
    await courses.database.query(sql, [webhook.id]);
    await graded();
    expect((await hooks.waitForStatus(webhook.id, 'failed')).last_error).toBe('secret_unreadable');
    expect((await hooks.find(webhook.id)).failing_since).toBeNull();
  });

  test('a slow receiver does not delay other receivers', async () => {
    const slow = await subscribe();
    const fast = await subscribe({ event_types: ['homework.submission.graded.v1'] });
    receiver.answer((req, res) => req.url === fast.path && res.writeHead(200).end());
    for (let count = 0; count < 12; count += 1) await graded();
    await receiver.waitFor(slow.path, 1);
    await courses.sendEvent('homework.submission.graded.v1', homeworkGraded({ submission_id: 10 }));
    await receiver.waitFor(fast.path, 1);
    expect((await hooks.deliveries(slow.webhook.id, '&status=pending')).length).toBeGreaterThan(4);
  });
});

test('a delivery interrupted by a crash is repeated after the restart', async () => {
  const { webhook, path } = await subscribe();
  receiver.answer(() => {});
  const event = await graded();
  await receiver.waitFor(path, 1);
  courses.service.kill('SIGKILL');
  receiver.answer((_req, res) => res.writeHead(200).end());
  await courses.service.start();
  const requests = await receiver.waitFor(path, 2);
  expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual([event.id, event.id]);
  await hooks.waitForStatus(webhook.id, 'delivered');
  expect(await hooks.deliveries(webhook.id)).toHaveLength(1);
});

test('a webhook that fails for too long is disabled with a reason', async () => {
  const { webhook } = await subscribe();
  receiver.answer((_req, res) => res.writeHead(500).end());
  await graded();
  await hooks.waitForStatus(webhook.id, 'failed');
  await courses.database.query(
    "UPDATE courses.webhook_subscriptions SET failing_since = now() - interval '6 days' WHERE id = $1",
    [webhook.id],
  );
  await graded();
  await waitFor(async () => (await hooks.find(webhook.id)).disabled_reason === 'failing');
  expect((await hooks.find(webhook.id)).is_active).toBe(false);
});

test('two replicas send each event once', async () => {
  const { database, peers, tokens } = courses;
  const other = await startService({ service: 'courses', database, peers, tokens, env: webhookEnv });
  try {
    const { webhook, path } = await subscribe();
    const events = await Promise.all(Array.from({ length: 60 }, () => graded()));
    await waitFor(async () => (await hooks.deliveries(webhook.id, '&status=delivered')).length === 60);
    const received = (await receiver.waitFor(path, 60)).map(({ headers }) => headers['webhook-id']);
    expect(received.toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  } finally {
    await other.stop();
  }
});

test('a shutdown waits for the delivery in progress, which is not repeated', async () => {
  const { webhook, path } = await subscribe();
  const response = Promise.withResolvers<void>();
  receiver.answer((_req, res) => void response.promise.then(() => res.writeHead(200).end()));
  await graded();
  await receiver.waitFor(path, 1);
  courses.service.kill('SIGTERM');
  await waitFor(() => courses.service.log().includes('"msg":"stopping"'));
  response.resolve();
  await waitFor(async () => courses.service.log().trimEnd().endsWith('"msg":"stopped"}'));
  await courses.service.start();
  expect(await hooks.waitForStatus(webhook.id, 'delivered')).toMatchObject({ attempts: 1 });
  expect(await receiver.waitFor(path, 1)).toHaveLength(1);
});

test('expired deliveries and deleted webhooks are purged', async () => {
  const [old, deleted] = [await subscribe(), await subscribe()];
  await graded();
  for (const { webhook } of [old, deleted]) await hooks.waitForStatus(webhook.id, 'delivered');
  await courses.request('DELETE', `${webhooksPath}/${deleted.webhook.id}`);
  const ids = [old.webhook.id, deleted.webhook.id];
  const count = async (table: string, column: string) => {
    const sql = `SELECT ${column} AS id FROM courses.${table} WHERE ${column} = ANY($1)`;
    return (await courses.database.query<{ id: number }>(sql, [ids])).map(({ id }) => id);
  };
  const sequelize = openDatabase({ url: courses.database.url('courses'), name: 'test', pool: 1 });
  await purgeExpired(sequelize, 86_400_000);
  expect(await count('webhook_deliveries', 'subscription_id')).toEqual([old.webhook.id]);
  await courses.database.query(
    "UPDATE courses.webhook_subscriptions SET deleted_at = now() - interval '2 minutes' WHERE id = $1",
    [deleted.webhook.id],
  );
  await courses.database.query(
    "UPDATE courses.webhook_deliveries SET created_at = now() - interval '2 days' WHERE subscription_id = $1",
    [old.webhook.id],
  );
  await purgeExpired(sequelize, 86_400_000);
  await sequelize.close();
  expect(await count('webhook_deliveries', 'subscription_id')).toEqual([]);
  expect(await count('webhook_subscriptions', 'id')).toEqual([old.webhook.id]);
});

import { waitFor } from '@gradeway/test/waitFor';
import { startWebhookReceiver, type WebhookReceiver } from '@gradeway/test/webhookReceiver';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CoursesService, quizGraded, startCoursesService } from './coursesService.ts';
import { uniquePath, type Webhook, webhookApi, webhookEnv, webhooksPath } from './webhookFixtures.ts';

const dateTime = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const notFound = { message: 'Not Found', errors: null };
const ownSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('with private addresses allowed', () => {
  let courses: CoursesService;
  let receiver: WebhookReceiver;
  let hooks: ReturnType<typeof webhookApi>;
  beforeAll(async () => {
    [courses, receiver] = await Promise.all([startCoursesService(webhookEnv), startWebhookReceiver()]);
    hooks = webhookApi(courses);
  });
  afterAll(async () => {
    await courses.close();
    await receiver.close();
  });

  test('a webhook is created, read, listed, changed and deleted', async () => {
    const url = receiver.url + uniquePath();
    const { secret, ...webhook } = await hooks.create({ url, description: 'The registry' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toEqual({
      id: expect.any(Number),
      url,
      description: 'The registry',
      event_types: ['*'],
      is_active: true,
      disabled_reason: null,
      failing_since: null,
      previous_secret_until: null,
      created_at: dateTime,
    });
    const path = `${webhooksPath}/${webhook.id}`;
    expect((await courses.get(path)).body).toEqual({ data: webhook });
    expect((await courses.get<{ data: Webhook[] }>(webhooksPath)).body.data[0]).toEqual(webhook);

    const event_types = ['user.changed.v1', 'course.changed.v1'];
    const changes = { description: null, event_types, is_active: false };
    const changed = await courses.request('PATCH', path, courses.admin, changes);
    expect([changed.status, changed.body]).toEqual([200, { data: { ...webhook, ...changes } }]);

    expect((await courses.request('DELETE', path)).status).toBe(204);
    for (const [method, at] of [
      ['GET', path] as const,
      ['DELETE', path] as const,
      ['GET', `${path}/deliveries`] as const,
      ['PATCH', path] as const,
      ['POST', `${path}/rotate-secret`] as const,
      ['POST', `${path}/test`] as const,
      ['POST', `${path}/deliveries/1/replay`] as const,
    ]) {
      const { status, body } = await courses.request(
        method,
        at,
        courses.admin,
        method === 'PATCH' ? {} : undefined,
      );
      expect([method, at, status, body]).toEqual([method, at, 404, notFound]);
    }
    const rows = await courses.database.query<{ secret: Buffer }>(
      'SELECT secret FROM courses.webhook_subscriptions WHERE id = $1',
      [webhook.id],
    );
    expect(rows.map((row) => row.secret.length)).toEqual([0]);
  });

  test('webhooks are for administrators only', async () => {
    const student = courses.tokens.sign(5, 'user');
    for (const [token, status] of [
      ['', 401],
      [student, 403],
    ] as const) {
      expect((await courses.get(webhooksPath, token)).status).toBe(status);
      expect((await courses.request('POST', webhooksPath, token, {})).status).toBe(status);
      expect((await courses.get(`${webhooksPath}/1/deliveries`, token)).status).toBe(status);
    }
  });

  test.each([
    [{ url: '' }, { url: ['The url field is required.'] }],
    [{ url: 7 }, { url: ['The url must be a string.'] }],
    [{ url: 'x'.repeat(2_049) }, { url: ['The url may not be greater than 2048 characters.'] }],
    [{ url: 'school' }, { url: ['The url must be a URL.'] }],
    [{ url: 'https://school.example/\r\nX-Injected: 1' }, { url: ['The url must be a URL.'] }],
    [{ url: 'https://school.example/\r\n' }, { url: ['The url must be a URL.'] }],
    [{ url: 'http://169.254.169.254/' }, { url: ['The url must lead to a public address.'] }],
    [{ event_types: undefined }, { event_types: ['The event types field is required.'] }],
    [{ event_types: [] }, { event_types: ['The event types field is required.'] }],
    [
      { event_types: 'x' },
      { event_types: ['The event types must be a list of event types, or of * alone.'] },
    ],
    [
      { event_types: [1] },
      { event_types: ['The event types must be a list of event types, or of * alone.'] },
    ],
    [
      { event_types: ['session.revoked.v1'] },
      { event_types: ['The event types must be a list of event types, or of * alone.'] },
    ],
    [
      { event_types: ['*', 'user.changed.v1'] },
      { event_types: ['The event types must be a list of event types, or of * alone.'] },
    ],
    [{ secret: 'short' }, { secret: ['The secret must be whsec_ and 24 to 64 bytes in base64.'] }],
    [{ is_active: 'yes' }, { is_active: ['The is active field must be true or false.'] }],
  ])('a webhook with %j is 422', async (change, errors) => {
    const fields = { url: receiver.url, event_types: ['*'], ...change };
    const { status, body } = await courses.request('POST', webhooksPath, courses.admin, fields);
    expect([status, body]).toEqual([422, { message: 'Invalid Data', errors }]);
  });

  test('an invalid status filter and an invalid replay time are 422', async () => {
    const { id } = await hooks.create({ url: receiver.url });
    const filtered = await courses.get(`${webhooksPath}/${id}/deliveries?status=lost`);
    expect([filtered.status, filtered.body]).toEqual([
      422,
      { message: 'Invalid Data', errors: { status: ['The selected status is invalid.'] } },
    ]);
    const replayed = await hooks.post(`${id}/replay`, { since: 'yesterday' });
    expect([replayed.status, replayed.body]).toEqual([
      422,
      {
        message: 'Invalid Data',
        errors: { since: ['The value of since must be a time like 2026-11-21T10:15:00.'] },
      },
    ]);
    expect((await hooks.post(`${id}/deliveries/99999999999/replay`)).status).toBe(404);
    await courses.request('DELETE', `${webhooksPath}/${id}`);
  });

  test('the secret appears only in the response to its creation, never in logs, and is encrypted in the database', async () => {
    const path = uniquePath();
    const { id, secret } = await hooks.create({ url: receiver.url + path, secret: ownSecret });
    expect(secret).toBe(ownSecret);
    await hooks.post(`${id}/test`);
    const [request] = await receiver.waitFor(path, 1);
    expect(new Verifier(ownSecret).verify(request?.body ?? '', request?.headers ?? {})).toMatchObject({
      type: 'webhook.test.v1',
      data: { webhook_id: id },
    });
    const bytes = ownSecret.slice('whsec_'.length);
    const responses = [
      await courses.get(`${webhooksPath}/${id}`),
      await courses.get(webhooksPath),
      await courses.get(`${webhooksPath}/${id}/deliveries`),
      await courses.request('PATCH', `${webhooksPath}/${id}`, courses.admin, { description: 'x' }),
    ];
    for (const { body } of responses) expect(JSON.stringify(body)).not.toMatch(/whsec_|"secret"/);
    expect(courses.service.log()).not.toContain(bytes);
    const [row] = await courses.database.query<{ secret: Buffer }>(
      'SELECT secret FROM courses.webhook_subscriptions WHERE id = $1',
      [id],
    );
    expect(row?.secret.includes(Buffer.from(bytes, 'base64'))).toBe(false);
    await courses.request('DELETE', `${webhooksPath}/${id}`);
  });

  test('both secrets sign for a day after a rotation, then only the new one', async () => {
    const path = uniquePath();
    const { id, secret: old } = await hooks.create({ url: receiver.url + path });
    const rotated = await hooks.post(`${id}/rotate-secret`);
    const { secret: fresh, previous_secret_until } = (rotated.body as { data: Webhook }).data;
    expect([rotated.status, fresh === old, previous_secret_until]).toEqual([200, false, dateTime]);
    await hooks.post(`${id}/test`);
    const [both] = await receiver.waitFor(path, 1);
    for (const secret of [old, fresh as string])
      expect(() => new Verifier(secret).verify(both?.body ?? '', both?.headers ?? {})).not.toThrow();

    await courses.database.query(
      "UPDATE courses.webhook_subscriptions SET previous_secret_until = now() - interval '1 s' WHERE id = $1",
      [id],
    );
    await hooks.post(`${id}/test`);
    const [, alone] = await receiver.waitFor(path, 2);
    expect(() => new Verifier(fresh as string).verify(alone?.body ?? '', alone?.headers ?? {})).not.toThrow();
    expect(() => new Verifier(old).verify(alone?.body ?? '', alone?.headers ?? {})).toThrow();
    expect((await hooks.find(id)).previous_secret_until).toBeNull();
    await courses.request('DELETE', `${webhooksPath}/${id}`);
  });

  test('deliveries are listed newest first, paged and filtered by status', async () => {
    const path = uniquePath();
    const { id } = await hooks.create({ url: receiver.url + path });
    for (let count = 1; count <= 3; count += 1) await hooks.post(`${id}/test`);
    await waitFor(async () => (await hooks.deliveries(id, '&status=delivered')).length === 3);
    const ids = (await hooks.deliveries(id)).map((each) => each.id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(await hooks.deliveries(id, '&status=failed')).toEqual([]);
    const second = await courses.get(`${webhooksPath}/${id}/deliveries?per_page=2&page=2`);
    expect(second.body).toMatchObject({
      data: [{ id: ids[2] }],
      meta: { current_page: 2, from: 3, last_page: 2, per_page: 2, to: 3, total: 3 },
    });
    await courses.request('DELETE', `${webhooksPath}/${id}`);
  });
});

describe('with the default configuration', () => {
  let courses: CoursesService;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    [courses, receiver] = await Promise.all([startCoursesService(), startWebhookReceiver()]);
  });
  afterAll(async () => {
    await courses.close();
    await receiver.close();
  });

  test.each([
    ['http://school.example/', 'The url must start with https://.'],
    ['https://127.0.0.1/', 'The url must lead to a public address.'],
    ['https://localhost/', 'The url must lead to a public address.'],
    ['https://10.1.2.3/', 'The url must lead to a public address.'],
    ['https://169.254.169.254/latest/meta-data', 'The url must lead to a public address.'],
    ['https://[fd00::1]/', 'The url must lead to a public address.'],
    ['https://u:p@93.184.216.34/', 'The url must not contain credentials.'],
  ])('a webhook to %s is 422', async (url, violation) => {
    const fields = { url, event_types: ['*'] };
    const { status, body } = await courses.request('POST', webhooksPath, courses.admin, fields);
    expect([status, body]).toEqual([422, { message: 'Invalid Data', errors: { url: [violation] } }]);
  });

  test('a host that now resolves to a private address is rejected at the connection', async () => {
    const webhooks = webhookApi(courses);
    const { id } = await webhooks.create({ url: 'https://93.184.216.34/' });
    const port = new URL(receiver.url).port;
    const sql = 'UPDATE courses.webhook_subscriptions SET url = $2 WHERE id = $1';
    await courses.database.query(sql, [id, `https://localhost:${port}/`]);
    await courses.sendEvent('quiz.submission.graded.v1', quizGraded({ submission_id: 1 }));
    await waitFor(async () => (await webhooks.deliveries(id))[0]?.last_error === 'address_not_allowed');
    expect(receiver.received).toEqual([]);
  });
});

import { scrape } from '@gradeway/test/metrics';
import { startWebhookReceiver, type WebhookReceiver } from '@gradeway/test/webhookReceiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CoursesService, quizGraded, startCoursesService } from './coursesService.ts';
import { uniquePath, webhookApi, webhookEnv } from './webhookFixtures.ts';

// A separate service, because attempts from other tests would also be counted, even after those tests end.
// An attempt that times out on a busy machine would be counted as a different outcome.
const env = { ...webhookEnv, WEBHOOK_TIMEOUT: '30s' };
let courses: CoursesService;
let receiver: WebhookReceiver;
let hooks: ReturnType<typeof webhookApi>;

beforeAll(async () => {
  [courses, receiver] = await Promise.all([startCoursesService(env), startWebhookReceiver()]);
  hooks = webhookApi(courses);
});
afterAll(async () => {
  await courses.close();
  await receiver.close();
});

const graded = (submission: number) =>
  courses.sendEvent('quiz.submission.graded.v1', quizGraded({ submission_id: submission }));

test('metrics count attempts by outcome and report the age of the oldest due message', async () => {
  const measured = async () => {
    const page = await scrape(courses.service.adminUrl);
    const attempts = (outcome: string) => page.value('gradeway_webhook_attempts_total', { outcome }) ?? 0;
    return {
      outcomes: [attempts('delivered'), attempts('again'), attempts('failed')],
      oldest: page.value('gradeway_webhook_oldest_due_age_seconds') ?? Number.NaN,
    };
  };
  const webhook = await hooks.create({
    url: receiver.url + uniquePath(),
    event_types: ['quiz.submission.graded.v1'],
  });
  expect((await measured()).outcomes).toEqual([0, 0, 0]);
  await graded(1);
  const delivered = await hooks.waitForStatus(webhook.id, 'delivered');
  receiver.answer((_req, res) => res.writeHead(500).end());
  await graded(2);
  await hooks.waitForStatus(webhook.id, 'failed');
  const now = await measured();
  expect(now.outcomes).toEqual([1, 2, 1]);
  expect(now.oldest).toBe(0);

  // A claimed delivery is not attempted, so it ages as it would in a backlog.
  await courses.database.query(
    'UPDATE courses.webhook_subscriptions SET failing_since = NULL WHERE id = $1',
    [webhook.id],
  );
  await courses.database.query(
    `UPDATE courses.webhook_deliveries SET status = 'pending', delivered_at = NULL,
       next_attempt_at = now() - interval '11 minutes', claimed_until = now() + interval '1 minute' WHERE id = $1`,
    [delivered.id],
  );
  expect((await measured()).oldest).toBeGreaterThan(650);
});

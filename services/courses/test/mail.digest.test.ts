import { createClock } from '@gradeway/shared/http/timestamps';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nextDigest } from '../src/notifications/domain/nextDigest.ts';
import { type MailSystem, newScene, startMailSystem, waitUntilSettled } from './mailScene.ts';

const zone = 'Asia/Kathmandu';

describe('the time of a digest', () => {
  test.each([
    ['UTC', '2026-03-01T16:59:59Z', '2026-03-01', '2026-03-01T17:00:00Z'],
    ['UTC', '2026-03-01T17:00:00Z', '2026-03-02', '2026-03-02T17:00:00Z'],
    [zone, '2026-03-01T11:14:59Z', '2026-03-01', '2026-03-01T11:15:00Z'],
    [zone, '2026-03-01T20:00:00Z', '2026-03-02', '2026-03-02T11:15:00Z'],
    ['Europe/Vienna', '2026-03-28T17:00:00Z', '2026-03-29', '2026-03-29T15:00:00Z'],
    ['America/New_York', '2026-12-31T23:00:00Z', '2027-01-01', '2027-01-01T22:00:00Z'],
  ])('in %s after %s it is of %s', (timeZone, now, date, time) => {
    const digest = nextDigest({ at: '17:00', clock: createClock(timeZone) }, new Date(now));
    expect(digest).toEqual({ date, time: new Date(time) });
  });
});

describe('a digest', () => {
  let system: MailSystem;
  beforeAll(async () => {
    system = await startMailSystem({ APP_TIMEZONE: zone });
  });
  afterAll(() => system.close());

  const digestsOf = (userId: number) =>
    system.courses.database.query<{ due_at: Date; status: string }>(
      "SELECT due_at, status FROM courses.mail_messages WHERE user_id = $1 AND kind = 'digest'",
      [userId],
    );
  const sendDigest = async (userId: number) => {
    const makeDue = "UPDATE courses.mail_messages SET due_at = now() WHERE user_id = $1 AND kind = 'digest'";
    await system.courses.database.query(makeDue, [userId]);
    await waitFor(async () => (await digestsOf(userId)).every(({ status }) => status !== 'waiting'));
  };
  const digested = { 'submission.received': 'digest', 'grades.released': 'digest' };

  test('collects events until the hour in the time zone of the school, and mentions each once', async () => {
    const scene = await newScene(system);
    await scene.choose(scene.student, digested);
    await scene.submitted();
    await scene.submitted({ state_revision: 2 });
    await scene.graded();
    await waitUntilSettled(system, scene.student.id);
    const [digest, ...others] = await digestsOf(scene.student.id);
    expect(others).toEqual([]);
    expect(digest?.due_at.toISOString()).toMatch(/T11:15:00/);
    expect(system.mail.mailsTo(scene.student.email)).toEqual([]);

    await sendDigest(scene.student.id);
    const [mail, ...more] = system.mail.mailsTo(scene.student.email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Your day on Gradeway');
    expect(mail?.text.match(/was received/g)).toHaveLength(1);
    expect(mail?.text.match(/has been graded/g)).toHaveLength(1);
  });

  test('is not sent if none of its messages still applies', async () => {
    const scene = await newScene(system);
    await scene.choose(scene.student, digested);
    await scene.graded();
    await waitUntilSettled(system, scene.student.id);
    await scene.item(2, { released_at: null });
    await scene.withheld();
    await sendDigest(scene.student.id);
    expect(system.mail.mailsTo(scene.student.email)).toEqual([]);
  });

  test('is followed by the next one for later events', async () => {
    const scene = await newScene(system);
    await scene.choose(scene.student, digested);
    await scene.submitted();
    await waitUntilSettled(system, scene.student.id);
    await sendDigest(scene.student.id);
    // Simulates the hour of the digest: the digest of this date was sent.
    await scene.graded();
    const waits =
      "SELECT FROM courses.mail_messages WHERE user_id = $1 AND kind = 'grades.released' AND status = 'waiting'";
    await waitFor(async () => (await system.courses.database.query(waits, [scene.student.id])).length === 1);
    expect(system.mail.mailsTo(scene.student.email)).toHaveLength(1);
  });

  test('a reminder that would be too late in the digest is sent immediately', async () => {
    const scene = await newScene(system);
    await scene.item(2, { closes_at: new Date(Date.now() + 60_000).toISOString() });
    await waitFor(() => system.mail.mailsTo(scene.student.email).length > 0);
    expect(system.mail.mailsTo(scene.student.email).map(({ subject }) => subject)).toEqual([
      'Closing soon: Groups – Algebra',
    ]);
  });
});

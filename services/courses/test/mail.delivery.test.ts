import { scrape } from '@gradeway/test/metrics';
import { startService } from '@gradeway/test/serviceProcess';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { retryDelay } from '../src/notifications/domain/retryDelay.ts';
import { startCoursesService } from './coursesService.ts';
import { type MailSystem, mailEnv, newScene, startMailSystem, waitUntilSettled } from './mailScene.ts';
import { type ReceivedMail, smtpError } from './mailServer.ts';

describe('the retry schedule', () => {
  const policy = { schedule: [60_000, 240_000, 3_600_000], giveUpAfterMs: 86_400_000 };

  test('the first retry is within five minutes, and the last delay repeats', () => {
    expect([1, 2, 3, 9].map((attempts) => retryDelay(policy, attempts, 0, 0.5))).toEqual([
      60_000, 240_000, 3_600_000, 3_600_000,
    ]);
  });

  test('the last attempt is a day after the first, and then the message is abandoned', () => {
    expect(retryDelay(policy, 9, 86_000_000, 0.5)).toBe(400_000);
    expect(retryDelay(policy, 10, 86_400_000, 0.5)).toBeUndefined();
  });
});

describe('a mail server', () => {
  let system: MailSystem;
  beforeAll(async () => {
    system = await startMailSystem();
  });
  afterEach(() => system.mail.answer(() => undefined));
  afterAll(() => system.close());

  const statusesOf = async (userId: number) =>
    (
      await system.courses.database.query<{ status: string }>(
        'SELECT status FROM courses.mail_messages WHERE user_id = $1 ORDER BY id',
        [userId],
      )
    ).map(({ status }) => status);

  test('that temporarily rejects a message gets the same message again', async () => {
    const scene = await newScene(system);
    const attempts: ReceivedMail[] = [];
    system.mail.answer((mail) => {
      attempts.push(mail);
      return attempts.length < 4 ? smtpError(attempts.length === 2 ? 550 : 451, 'not now') : undefined;
    });
    await scene.submitted();
    await waitUntilSettled(system, scene.student.id);
    expect(attempts).toHaveLength(4);
    expect(new Set(attempts.map(({ messageId }) => messageId)).size).toBe(1);
    expect(system.mail.mailsTo(scene.student.email)).toHaveLength(1);
  });

  test('that never accepts a message causes it to be abandoned, with a metric and without the address in the log', async () => {
    const scene = await newScene(system);
    const failed = async () =>
      (await scrape(system.courses.service.adminUrl)).value('gradeway_mail_sent_total', {
        kind: 'submission.received',
        result: 'failed',
      }) ?? 0;
    const before = await failed();
    system.mail.answer(({ recipients }) => smtpError(550, `no such user ${recipients.join()}`));
    await scene.submitted();
    await waitFor(async () => (await statusesOf(scene.student.id)).join() === 'failed');
    expect(await failed()).toBe(before + 1);
    await waitFor(() => system.courses.service.log().includes('mail given up'));
    expect(system.courses.service.log()).not.toContain(scene.student.email);
  });

  test('that responds late to one message does not delay the others', async () => {
    const [slow, quick] = [await newScene(system), await newScene(system)];
    let finish: () => void = () => {};
    const held = new Promise<undefined>((resolve) => {
      finish = () => resolve(undefined);
    });
    system.mail.answer(({ recipients }) => (recipients.includes(slow.student.email) ? held : undefined));
    await slow.submitted();
    await quick.submitted();
    await waitFor(() => system.mail.mailsTo(quick.student.email).length === 1);
    expect(system.mail.mailsTo(slow.student.email)).toEqual([]);
    finish();
    await waitFor(() => system.mail.mailsTo(slow.student.email).length > 0);
  });

  test('gets messages in flight at a kill again, with the same Message-ID, and no other message twice', async () => {
    const scenes = [await newScene(system), await newScene(system), await newScene(system)];
    const [held] = scenes;
    const attempts: ReceivedMail[] = [];
    system.mail.answer((mail) => {
      attempts.push(mail);
      // The connection ends before the response.
      return mail.recipients.includes(held?.student.email ?? '')
        ? new Promise<undefined>(() => {})
        : undefined;
    });
    for (const scene of scenes) await scene.submitted();
    const attemptsOf = (address = '') => attempts.filter(({ recipients }) => recipients.includes(address));
    await waitFor(() => scenes.every(({ student }) => attemptsOf(student.email).length > 0));
    const ids = scenes.map(({ student }) => student.id);
    await waitFor(async () => (await statusesOf(ids[2] ?? 0)).join() === 'sent');
    system.courses.service.kill('SIGKILL');
    await system.courses.service.start();
    system.mail.answer((mail) => {
      attempts.push(mail);
      return undefined;
    });
    await waitUntilSettled(system, ...ids);
    expect(attemptsOf(held?.student.email).length).toBeGreaterThan(1);
    for (const { student } of scenes) {
      const sent = attemptsOf(student.email);
      expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1);
      expect(await statusesOf(student.id)).toEqual(['sent']);
    }
    expect(attemptsOf(scenes[2]?.student.email)).toHaveLength(1);
  });
});

describe('ten thousand messages', () => {
  test('are sent in bounded memory, each once', async () => {
    const system = await startMailSystem();
    const scene = await newScene(system);
    const people = 10_000;
    const firstId = 1_000_000;
    const ids = Array.from({ length: people }, (_, index) => firstId + index);
    const name = { firstName: 'Ada', lastName: 'Lovelace', role: 'user', isBlocked: false, revision: 1 };
    for (const userId of ids)
      system.courses.peers.users.push({ userId, email: `many-${userId}@school.example`, ...name });
    const { database } = system.courses;
    await database.query(
      'INSERT INTO courses.roster (course_id, user_id, is_enrolled, paid) SELECT $1, id, true, true FROM unnest($2::int[]) AS u (id)',
      [scene.courseId, ids],
    );
    await database.query(
      `INSERT INTO courses.mail_preferences (user_id, kinds) SELECT id, '{"work.published": "mail"}' FROM unnest($1::int[]) AS u (id)`,
      [ids],
    );
    const memory = async () =>
      (await scrape(system.courses.service.adminUrl)).value('process_resident_memory_bytes') ?? 0;
    const about = { item_id: scene.quizId, course_id: scene.courseId, title: 'Groups' };
    await system.publish('quiz.published.v1', { ...about, opens_at: null, closes_at: null });
    let most = 0;
    const sent = () =>
      system.mail.received.filter(({ recipients }) => recipients[0]?.startsWith('many-')).length;
    await waitFor(
      async () => {
        most = Math.max(most, await memory());
        return sent() >= people;
      },
      500_000,
      500,
    );
    const addresses = system.mail.received
      .flatMap(({ recipients }) => recipients)
      .filter((each) => each.startsWith('many-'));
    expect(addresses).toHaveLength(people);
    expect(new Set(addresses).size).toBe(people);
    // The container has 512 MiB.
    expect(most).toBeLessThan(384 * 1024 * 1024);
    await system.close();
  }, 600_000);
});

describe('MAIL_PER_MINUTE', () => {
  test('applies to all replicas together', async () => {
    const system = await startMailSystem({ MAIL_PER_MINUTE: '12' });
    const { database, peers, tokens } = system.courses;
    const env = { SMTP_URL: system.mail.url, ...mailEnv, MAIL_PER_MINUTE: '12' };
    const second = await startService({ service: 'courses', database, peers, tokens, env });
    const scene = await newScene(system);
    for (let revision = 1; revision <= 6; revision += 1) await scene.submitted({ state_revision: revision });
    await waitFor(() => system.mail.mailsTo(scene.student.email).length >= 4);
    const attempts =
      'SELECT attempted_at AS at FROM courses.mail_messages WHERE attempted_at IS NOT NULL ORDER BY 1';
    const times = (await database.query<{ at: Date }>(attempts)).map(({ at }) => at.getTime());
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(5_000);
    await second.stop();
    await system.close();
  });
});

describe('the settings', () => {
  test('SMTP_URL without PUBLIC_URL prevents the start, with a message', async () => {
    await expect(startCoursesService({ SMTP_URL: 'smtp://127.0.0.1:1' })).rejects.toThrow(
      'courses cannot start: PUBLIC_URL is required with SMTP_URL, for the links in messages',
    );
  });

  test('without SMTP_URL nothing is sent or queued', async () => {
    const system = await startMailSystem({ SMTP_URL: '' });
    const { courses } = system;
    const waiting = "SELECT FROM broker.job WHERE name = 'courses-mail' AND state < 'completed'";
    const courseId = await courses.createCourse();
    const student = await courses.createStudent(courseId);
    await courses.sendEvent('quiz.submission.submitted.v1', {
      ...{ submission_id: 1, quiz_id: 1, course_id: courseId, student_id: student.id },
      submitted_at: new Date().toISOString(),
    });
    await waitFor(async () => (await courses.database.query(waiting)).length === 0);
    expect(await courses.database.query('SELECT FROM courses.mail_messages')).toEqual([]);
    expect(system.mail.received).toEqual([]);
    await system.close();
  });
});

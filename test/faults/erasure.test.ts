import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { superuserUrl } from '@gradeway/local/embeddedPostgres';
import { freePort } from '@gradeway/local/ports';
import { schemaUrl } from '@gradeway/local/provisionDatabase';
import { connectionRows, connectPerson } from '@gradeway/test/connectedPerson';
import { Fixtures } from '@gradeway/test/fixtures';
import type { LocalSystem } from '@gradeway/test/localSystem';
import {
  createDeadLetters,
  createPersonEverywhere,
  type PersonEverywhere,
  readDeadLetters,
} from '@gradeway/test/personEverywhere';
import { hasRabbit, type Rabbit, startRabbit } from '@gradeway/test/rabbitmq';
import { readArchive } from '@gradeway/test/readArchive';
import { type SystemWithProvider, startSystemWithProvider } from '@gradeway/test/systemWithProvider';
import { waitFor } from '@gradeway/test/waitFor';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MailServer, smtpError, startMailServer } from '../../services/courses/test/mailServer.ts';
import { expectExported } from './expectExported.ts';

if (!hasRabbit && process.env.CI) throw new Error('CI needs RabbitMQ: these tests may not be skipped');

const schemas = ['auth', 'courses', 'homework', 'quiz', 'broker', 'audit'];

describe.each([
  { broker: 'RabbitMQ', erasure: 'keep-grades' },
  { broker: 'the embedded broker', erasure: 'all' },
])('a person with data everywhere, with $broker and ERASURE=$erasure', ({ broker, erasure }) => {
  const skipped = broker === 'RabbitMQ' && !hasRabbit;
  let rabbit: Rabbit | undefined;
  let mail: MailServer;
  let running: SystemWithProvider;
  let system: LocalSystem;
  let fixtures: Fixtures;
  beforeAll(async () => {
    if (skipped) return;
    if (broker === 'RabbitMQ') rabbit = await startRabbit();
    mail = await startMailServer();
    const port = await freePort();
    running = await startSystemWithProvider(
      { domains: ['test.example'] },
      {
        ...(rabbit ? { EVENTS_URL: rabbit.url } : {}),
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        SMTP_URL: mail.url,
        MAIL_GRADES_DELAY: '1s',
        MAIL_RETRY_SCHEDULE: '1s',
        WEBHOOK_ALLOW_HTTP: '1',
        WEBHOOK_ALLOW_PRIVATE_ADDRESSES: '1',
        ERASURE: erasure,
      },
    );
    system = running.system;
    fixtures = new Fixtures(system);
  });
  afterAll(async () => {
    await running?.close();
    await mail?.close();
    await rabbit?.stop();
  });

  const postgres = async () => ({
    secrets: JSON.parse(await readFile(join(system.directory, 'secrets.json'), 'utf8')),
    port: (await system.process('postgres')).port,
  });
  async function query<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const { secrets, port } = await postgres();
    const client = new Client({
      connectionString: superuserUrl({ port, password: secrets.postgres }, 'gradeway'),
    });
    await client.connect();
    return client
      .query<Row>(sql, values)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  }
  const eventsUrl = async () => {
    if (rabbit) return rabbit.url;
    const { secrets, port } = await postgres();
    return schemaUrl(
      superuserUrl({ port, password: secrets.postgres }),
      'gradeway',
      'broker',
      secrets.roles.broker,
    );
  };

  /** The tables, stored files, logs and dead letters that contain one of the texts. */
  async function findText({ marks }: PersonEverywhere): Promise<string[]> {
    const found: string[] = [];
    const tables = await query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = ANY($1)`,
      [schemas],
    );
    for (const { name } of tables) {
      const rows = await query(`SELECT FROM ${name} t WHERE lower(t::text) LIKE ANY($1) LIMIT 1`, [
        marks.map((mark) => `%${mark}%`),
      ]);
      if (rows.length > 0) found.push(name);
    }
    const contains = (text: string) => marks.some((mark) => text.toLowerCase().includes(mark));
    for (const folder of ['files', 'logs']) {
      const entries = await readdir(join(system.directory, folder), { recursive: true, withFileTypes: true });
      for (const entry of entries.filter((each) => each.isFile())) {
        const bytes = await readFile(join(entry.parentPath, entry.name), 'latin1');
        if (contains(bytes)) found.push(folder);
      }
    }
    if ((await readDeadLetters(await eventsUrl())).some(contains)) found.push('dead letters');
    return [...new Set(found)];
  }

  /** The tables that still have rows of a connected person. */
  async function tablesWithRows(id: number): Promise<string[]> {
    const found: string[] = [];
    for (const rows of connectionRows)
      if ((await query(`SELECT FROM ${rows} = $1 LIMIT 1`, [id])).length > 0) found.push(rows);
    return found;
  }

  test.skipIf(skipped)(
    'a person is exported and then erased from every table, file and message',
    async () => {
      mail.answer(({ recipients }) =>
        recipients.some((address) => address.startsWith('z.'))
          ? smtpError(451, `${recipients.join()} is not available`)
          : undefined,
      );
      const person = await createPersonEverywhere(fixtures);
      const { student } = person;
      const connected = await connectPerson(fixtures, person, running.provider, system.baseUrl);
      await createDeadLetters(await eventsUrl(), person);
      const before = await findText(person);
      expect(before).toEqual(
        expect.arrayContaining([
          'auth.users',
          'auth.outbox',
          'auth.user_sources',
          'auth.import_users',
          'auth.api_tokens',
          'auth.identities',
          'auth.sso_sessions',
          'courses.people',
          'courses.roster',
          'courses.import_rows',
          'courses.webhook_deliveries',
          'homework.files',
          'homework.submissions',
          'homework.gradings',
          'homework.grade_files',
          'homework.outbox',
          'quiz.files',
          'quiz.people',
          'quiz.grade_files',
          'files',
          'dead letters',
        ]),
      );
      await waitFor(async () => (await tablesWithRows(student.id)).length === connectionRows.length);

      const admin = await fixtures.asAdmin();
      const path = `/api/v3/admin/users/${student.id}`;
      const exported = await admin.get(`${path}/personal-data`);
      expect(exported.status).toBe(200);
      expect(exported.headers.get('content-type')).toBe('application/zip');
      const archive = await readArchive(exported.body);
      const json = JSON.parse(archive.find(({ name }) => name === 'person.json')?.content.toString() ?? '');
      expectExported(json, person, connected);
      const files = archive.filter(({ name }) => name !== 'person.json');
      expect(files.map(({ name }) => name.replace(/^.* - /, '')).toSorted()).toEqual(
        person.fileNames.toSorted(),
      );
      for (const { content } of files) expect(content.subarray(0, 5).toString()).toBe('%PDF-');

      expect((await admin.get(`${path}/erasure`)).status).toBe(404);
      const requested = await admin.post(`${path}/erasure`);
      expect(requested.status).toBe(202);
      expect(requested.body.data).toEqual({
        status: 'pending',
        requested_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        completed_at: null,
      });
      await waitFor(async () => (await admin.get(`${path}/erasure`)).body.data.status === 'done', 120_000);

      expect(await findText(person)).toEqual([]);
      expect(await tablesWithRows(student.id)).toEqual([]);
      for (const token of [connected.personalToken, connected.sessionToken])
        expect((await fixtures.callAs(token).get('/api/v3/me/token')).status).toBe(401);
      expect((await fixtures.callAs().get(connected.calendarUrl)).status).toBe(404);
      expect(await connected.signIn()).toBe('/login?error=sso_no_account');
      const repeated = await admin.post(`${path}/erasure`);
      expect(repeated.status).toBe(202);
      expect(repeated.body.data).toMatchObject({ status: 'done', completed_at: expect.any(String) });
      expect((await admin.get(path)).status).toBe(404);
      expect((await admin.get(`${path}/personal-data`)).status).toBe(404);

      // The mail server accepts everything from now on; waiting and later messages would arrive.
      mail.answer(() => undefined);
      const classmate = await fixtures.newStudent();
      await fixtures.enroll(person.courseId, classmate);
      await classmate.put('/api/v3/me/notifications', {
        language: 'en',
        kinds: { 'work.published': 'mail' },
      });
      await fixtures.newQuiz(person.courseId);
      await waitFor(() => mail.mailsTo(classmate.email).length > 0);
      expect(mail.mailsTo(student.email)).toEqual([]);
      expect(await tablesWithRows(student.id)).toEqual([]);

      const letters = await readDeadLetters(await eventsUrl());
      expect(letters.filter((body) => body.includes('"Other"')).length).toBeGreaterThanOrEqual(3);
      const kept = erasure === 'all' ? 0 : 1;
      const counted = await query<{ count: number }>(
        `SELECT (SELECT count(*) FROM courses.grades WHERE student_id = $1 AND kind = 'quiz')::int AS count
       UNION ALL SELECT count(*)::int FROM homework.submissions WHERE student_id = $1 AND rating = 7
       UNION ALL SELECT count(*)::int FROM quiz.submissions WHERE student_id = $1 AND grade = 8`,
        [student.id],
      );
      expect(counted.map(({ count }) => count)).toEqual([kept, kept, kept]);
    },
  );

  test.skipIf(skipped)(
    'an erasure stays pending while a service hangs, survives a crash of auth, and is done when all have confirmed',
    async () => {
      const scene = await fixtures.newScene();
      const other = await fixtures.newScene();
      for (const each of [scene, other]) {
        await fixtures.submitHomework(each);
        await fixtures.submitQuiz(each);
      }
      const admin = await fixtures.asAdmin();
      const path = `/api/v3/admin/users/${scene.student.id}/erasure`;
      const status = async () => (await admin.get(path)).body.data.status;
      const submissionsOf = async (id: number) => {
        const [row] = await query<{ count: number }>(
          `SELECT ((SELECT count(*) FROM homework.submissions WHERE student_id = $1)
             + (SELECT count(*) FROM quiz.submissions WHERE student_id = $1))::int AS count`,
          [id],
        );
        return row?.count;
      };
      const homework = await system.process('homework');
      process.kill(homework.pid, 'SIGSTOP');
      try {
        expect((await admin.post(path)).status).toBe(202);
        // Quiz confirms although homework hangs.
        await waitFor(async () => (await submissionsOf(scene.student.id)) === 1);
        expect(await status()).toBe('pending');
        const { pid } = await system.process('auth');
        process.kill(pid, 'SIGKILL');
        await waitFor(async () => (await system.process('auth')).pid !== pid);
        await waitFor(async () => (await admin.get(path)).body.data?.status === 'pending');
      } finally {
        process.kill(homework.pid, 'SIGCONT');
      }
      await waitFor(async () => (await status()) === 'done', 120_000);
      expect(await submissionsOf(scene.student.id)).toBe(0);
      expect(await submissionsOf(other.student.id)).toBe(2);
      const [row] = await query('SELECT email, sourced_id, confirmed FROM auth.erasures WHERE user_id = $1', [
        scene.student.id,
      ]);
      expect(row).toEqual({
        email: null,
        sourced_id: null,
        confirmed: expect.arrayContaining(['auth', 'courses', 'homework', 'quiz']),
      });
    },
  );
});

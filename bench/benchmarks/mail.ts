// Measures 500 uploads of 1 MB while 10,000 messages are queued and sent, compared with the same uploads without them,
// and the memory of courses, which sends the messages. MAIL names a part to measure alone: `uploads` or `memory`.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '@gradeway/test/processUsage';
import { waitFor } from '@gradeway/test/waitFor';
import { SMTPServer } from 'smtp-server';
import type { Row } from '../support/measuring/row.ts';
import { runParts } from '../support/measuring/runParts.ts';
import { percentile, short } from '../support/measuring/statistics.ts';
import { sendUpload } from '../support/school/sendUpload.ts';
import { type School, startSchool } from '../support/school/startSchool.ts';

const [students, uploads, rounds] = [10_000, 500, 3];
const uploadsPerSecond = 20;
const mebibyte = 1024 ** 2;
// So that all messages are sent within a minute; a shipped system sends 300 a minute.
const unhindered = { MAIL_PER_MINUTE: '60000' };

export const run = (): Promise<Row[]> =>
  runParts('MAIL', { uploads: measureUploads, memory: measureMemory }, undefined);

async function measureUploads(): Promise<Row[]> {
  await using scene = await startScene();
  const { school, mail } = scene;
  const quizzes: number[] = [];
  while (quizzes.length < 2 * rounds + 1) quizzes.push(await school.fixtures.newQuiz(school.courseId));
  await untilQueued(school, quizzes);
  await school.query('DELETE FROM courses.mail_messages');
  const uploadAll = (count: number) => uploadTimes(school, quizzes.pop() ?? 0, count);
  // For the compilers.
  await uploadAll(50);
  const times: Times = { without: [], withMail: [] };
  const sentBefore = mail.accepted();
  for (let round = 0; round < rounds; round += 1) {
    times.without.push(await uploadAll(uploads));
    const [withMail] = await Promise.all([uploadAll(uploads), announceQuiz(school)]);
    times.withMail.push(withMail);
    await school.query('DELETE FROM courses.mail_messages');
  }
  return [uploadsRow(times, mail.accepted() - sentBefore)];
}

/** Queues a message to everyone, and waits until all are sent. */
async function measureMemory(): Promise<Row[]> {
  await using scene = await startScene(unhindered);
  const { school, mail } = scene;
  const { pid } = await school.system.process('courses');
  const before = memoryOf(pid).now;
  const startedAt = performance.now();
  await announceQuiz(school);
  const queuedMs = performance.now() - startedAt;
  await waitFor(() => mail.accepted() === students, 300_000, 200);
  const seconds = (performance.now() - startedAt) / 1_000;
  return [
    {
      name: 'mail.memory',
      work: '10,000 messages queued and sent: most resident memory of courses',
      against: '-',
      goal: { atMost: 384 },
      unit: 'MiB',
      values: [memoryOf(pid).peak / mebibyte],
      note: `${short(before / mebibyte)} MiB before; queued after ${short(queuedMs)} ms, sent after ${short(seconds)} s`,
    },
  ];
}

async function startScene(env: Record<string, string> = {}) {
  const mail = await startMailServer();
  const mailEnv = { SMTP_URL: mail.url, PUBLIC_URL: 'http://127.0.0.1' };
  const school = await startSchool({ students, pdfBytes: 1_000_000, env: { ...mailEnv, ...env } });
  await school.query(
    `INSERT INTO courses.mail_preferences (user_id, kinds)
     SELECT id, '{"work.published": "mail", "submission.received": "off"}' FROM unnest($1::integer[]) AS student (id)`,
    [school.students.map(({ id }) => id)],
  );
  return {
    school,
    mail,
    async [Symbol.asyncDispose]() {
      await school.stop();
      mail.close();
    },
  };
}

interface Times {
  without: number[][];
  withMail: number[][];
}

function uploadsRow({ without, withMail }: Times, sent: number): Row {
  const p99 = (times: number[][]) => times.map((each) => percentile(each, 99));
  const [before, meanwhile] = [p99(without), p99(withMail)];
  const listOf = (times: number[]) => times.map(short).join(', ');
  return {
    name: 'mail.uploads',
    work: '500 uploads of 1 MB while 10,000 messages are queued and sent: p99',
    against: 'the same uploads without messages',
    goal: { atMost: 1.2 },
    values: meanwhile.map((each, round) => each / (before[round] ?? Number.NaN)),
    note: `p99 ${listOf(meanwhile)} ms, without messages ${listOf(before)} ms; ${sent} messages sent meanwhile`,
  };
}

/** Sends uploads at a constant rate, and returns how long each took. @throws Error when one is refused */
function uploadTimes(school: School, quizId: number, count: number): Promise<number[]> {
  return Promise.all(
    school.students.slice(0, count).map(async (student, index) => {
      await sleep((index * 1_000) / uploadsPerSecond);
      const { status, body, ms } = await sendUpload(school, { student, quizId });
      if (status !== 200) throw new Error(`an upload returned ${status}: ${body}`);
      return ms;
    }),
  );
}

/** Publishes a quiz to everyone, and waits until the messages about it are queued. */
const announceQuiz = async (school: School): Promise<void> =>
  untilQueued(school, [await school.fixtures.newQuiz(school.courseId)]);

async function untilQueued(school: School, quizIds: number[]): Promise<void> {
  const queued = 'SELECT count(*)::integer AS count FROM courses.mail_messages WHERE item_id = ANY($1)';
  await waitFor(async () => {
    const [row] = await school.query<{ count: number }>(queued, [quizIds]);
    return row?.count === quizIds.length * students;
  }, 120_000);
}

async function startMailServer() {
  let accepted = 0;
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, callback) {
      stream.resume().once('end', () => {
        accepted += 1;
        callback();
      });
    },
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, accepted: () => accepted, close: () => smtp.close(() => {}) };
}

// Measures 500 uploads of 1 MB while 10,000 messages are queued and sent, compared with the same uploads without them.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@gradeway/test/waitFor';
import { SMTPServer } from 'smtp-server';
import type { Row } from '../support/measuring/row.ts';
import { percentile, short } from '../support/measuring/statistics.ts';
import { sendUpload } from '../support/school/sendUpload.ts';
import { type School, startSchool } from '../support/school/startSchool.ts';

const [students, uploads, rounds] = [10_000, 500, 3];
const uploadsPerSecond = 20;

export async function run(): Promise<Row[]> {
  const mail = await startMailServer();
  const env = { SMTP_URL: mail.url, PUBLIC_URL: 'http://127.0.0.1' };
  const school = await startSchool({ students, pdfBytes: 1_000_000, env });
  try {
    await school.query(
      `INSERT INTO courses.mail_preferences (user_id, kinds)
       SELECT id, '{"work.published": "mail", "submission.received": "off"}' FROM unnest($1::integer[]) AS student (id)`,
      [school.students.map(({ id }) => id)],
    );
    const quizzes = await createQuizzes(school, 2 * rounds + 1);
    await school.query('DELETE FROM courses.mail_messages');
    const uploadAll = (count: number) => uploadTimes(school, quizzes.pop() ?? 0, count);
    // For the compilers.
    await uploadAll(50);
    const times: Times = { without: [], withMail: [] };
    for (let round = 0; round < rounds; round += 1) {
      times.without.push(await uploadAll(uploads));
      await createQuizzes(school, 1);
      times.withMail.push(await uploadAll(uploads));
      await school.query('DELETE FROM courses.mail_messages');
    }
    return [rowOf(times, mail.accepted())];
  } finally {
    await school.stop();
    mail.close();
  }
}

interface Times {
  without: number[][];
  withMail: number[][];
}

function rowOf({ without, withMail }: Times, accepted: number): Row {
  const p99 = (times: number[][]) => times.map((each) => percentile(each, 99));
  const [before, meanwhile] = [p99(without), p99(withMail)];
  return {
    name: 'mail.uploads',
    work: '500 uploads of 1 MB while 10,000 messages are queued and sent: p99',
    against: 'the same uploads without messages',
    goal: { atMost: 1.2 },
    values: meanwhile.map((each, round) => each / (before[round] ?? Number.NaN)),
    note: `p99 ${meanwhile.map(short).join(', ')} ms, without messages ${before.map(short).join(', ')} ms; ${accepted} messages sent meanwhile`,
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

/** Publishes quizzes to everyone, and returns once the messages about them are queued. */
async function createQuizzes(school: School, count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) ids.push(await school.fixtures.newQuiz(school.courseId));
  const queued = 'SELECT count(*)::integer AS count FROM courses.mail_messages WHERE item_id = ANY($1)';
  await waitFor(async () => {
    const [row] = await school.query<{ count: number }>(queued, [ids]);
    return row?.count === count * students;
  });
  return ids;
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

// Measures a deadline with slow phones: 3,000 students submit 1 MB at 256 KB a second within 90 seconds. Three in ten
// connections break at some point, and the upload is repeated with the same Idempotency-Key until it gets a response.
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '@gradeway/test/processUsage';
import { startSlowNetwork } from '../k6/slowNetwork.ts';
import type { Row } from '../support/measuring/row.ts';
import { percentile, short } from '../support/measuring/statistics.ts';
import { sendForm } from '../support/school/sendUpload.ts';
import { type School, type Student, startSchool } from '../support/school/startSchool.ts';

const [students, pdfBytes, windowMs] = [3_000, 1_000_000, 90_000];
const network = { rate: 256 * 1024, breaking: 0.3, breakWithin: pdfBytes };
// A phone that has lost its connection tries again after a moment, and gives up after a few attempts.
const [pauseMs, attempts] = [2_000, 20];
const work = '3,000 uploads of 1 MB at 256 KB/s in 90 s, connections that break';

export async function run(): Promise<Row[]> {
  const school = await startSchool({ students, pdfBytes });
  try {
    return await holdDeadline(school);
  } finally {
    await school.stop();
  }
}

async function holdDeadline(school: School): Promise<Row[]> {
  const slow = await startSlowNetwork({ ...network, target: new URL(school.system.baseUrl), port: 0 });
  const baseUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  const closesAt = new Date(Date.now() + 2 * windowMs).toISOString().slice(0, 19);
  const quizId = await school.fixtures.newQuiz(school.courseId, { closes_at: closesAt });
  const memory = await watchMemory(school);
  const outcomes = await Promise.all(
    school.students.map(async (student, index) => {
      await sleep((windowMs * index) / students);
      return handIn({ ...school, baseUrl }, student, quizId);
    }),
  );
  const growth = memory.growth();
  slow.close();
  const [stored] = await school.query<{ count: number; people: number }>(
    `SELECT count(*)::integer AS count, count(DISTINCT student_id)::integer AS people FROM quiz.submissions
     WHERE quiz_id = $1`,
    [quizId],
  );
  return rowsOf(outcomes, stored ?? { count: 0, people: 0 }, growth);
}

interface Outcome {
  status: number;
  sent: number;
  ms: number;
}

async function handIn(
  target: Pick<School, 'courseId' | 'pdf'> & { baseUrl: string },
  { token }: Student,
  quizId: number,
): Promise<Outcome> {
  const [key, startedAt] = [randomUUID(), performance.now()];
  for (let sent = 1; ; sent += 1) {
    const { status } = await sendForm(target, { token, quizId, key, reusesConnection: false });
    // Without a response it is unknown whether the upload was stored. 409 means that the first attempt is still in progress.
    const isOver = status !== 0 && status !== 409;
    if (isOver || sent === attempts) return { status, sent, ms: performance.now() - startedAt };
    await sleep(pauseMs);
  }
}

/** Compares the resident memory of the last third with the first third, which shows growth with each upload. */
async function watchMemory({ system }: School): Promise<{ growth(): number }> {
  const pids = await Promise.all(
    (['gateway', 'quiz'] as const).map(async (name) => (await system.process(name)).pid),
  );
  const samples = pids.map((): number[] => []);
  const timer = setInterval(() => {
    for (const [index, pid] of pids.entries()) samples[index]?.push(memoryOf(pid).now / 2 ** 20);
  }, 500);
  return {
    growth() {
      clearInterval(timer);
      const growths = samples.map((all) => {
        const third = Math.floor(all.length / 3);
        return Math.max(...all.slice(-third)) - Math.max(...all.slice(0, third));
      });
      return Math.max(...growths);
    },
  };
}

function rowsOf(outcomes: Outcome[], stored: { count: number; people: number }, growth: number): Row[] {
  const failed = outcomes.filter(({ status }) => status !== 200);
  const times = outcomes.map(({ ms }) => ms / 1_000);
  const sent = outcomes.reduce((sum, outcome) => sum + outcome.sent, 0);
  const seconds = `answered after ${short(percentile(times, 50))} s (median), ${short(Math.max(...times))} s (slowest)`;
  return [
    {
      name: 'phones.errors',
      work: `${work}: uploads refused or failed`,
      against: 'none',
      goal: { atMost: 0 },
      unit: 'uploads',
      values: [failed.length],
      note: `sent ${sent} times; ${seconds}`,
    },
    {
      name: 'phones.submissions',
      work: `${work}: submissions missing or more than one of a student`,
      against: 'none',
      goal: { atMost: 0 },
      unit: 'submissions',
      values: [students - stored.people + (stored.count - stored.people)],
    },
    {
      name: 'phones.memory',
      work: `${work}: growth of the gateway or quiz from the first third to the last`,
      against: 'none',
      goal: { atMost: 64 },
      unit: 'MB',
      values: [growth],
    },
  ];
}

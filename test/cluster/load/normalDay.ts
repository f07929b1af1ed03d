import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../../faults/table/ledger.ts';
import { type Exam, handInAll } from './exam.ts';

// The busiest hour of an ordinary day in a school of about a thousand students.
const perSecond = { pages: 10, logins: 0.2, uploads: 0.2, gradings: 0.2 };

const pages = [
  '/api/v3/courses',
  '/api/v3/homeworks',
  '/api/v3/quiz/submissions',
  '/api/v3/grades',
  '/api/v3/me',
];

/** Sends the requests of a school on a normal day, for a few seconds. Returns the number of responses by status. */
export async function liveNormalDay(
  exam: Exam,
  seconds: number,
  ledger: Ledger,
): Promise<Record<string, number>> {
  const { fixtures, students } = exam;
  const answers: Record<string, number> = {};
  const count = (status: number) => {
    answers[status] = (answers[status] ?? 0) + 1;
  };
  const any = <T>(list: T[], index: number) => list[index % list.length] as T;
  const admin = await fixtures.asAdmin();
  const activities: [number, (index: number) => Promise<unknown>][] = [
    [
      perSecond.pages,
      async (index) =>
        count((await any(students, Math.floor(index / pages.length)).get(any(pages, index))).status),
    ],
    [
      perSecond.logins,
      async (index) => {
        const { email, password } = any(students, index);
        count((await fixtures.logIn(email, password)).status);
      },
    ],
    [perSecond.uploads, (index) => handInAll({ ...exam, students: [any(students, index)] }, 1, ledger)],
    [
      perSecond.gradings,
      async (index) => {
        const student = any(students, index);
        const { body } = await student.get('/api/v3/quiz/submissions');
        const id = body.data[0]?.id;
        if (id === undefined) return;
        const path = `/api/v3/quiz/pdf-quizzes/grade/${id}`;
        count((await admin.post(path, { grade: index, total_grade: 100_000 })).status);
      },
    ],
  ];
  const endsAt = Date.now() + seconds * 1000;
  await Promise.all(activities.map(([rate, act]) => repeat(rate, endsAt, act)));
  return answers;
}

/** Starts an activity at a fixed rate, whether or not the earlier ones have ended; waits for all of them. */
async function repeat(rate: number, endsAt: number, act: (index: number) => Promise<unknown>): Promise<void> {
  const started: Promise<unknown>[] = [];
  for (let index = 0; Date.now() < endsAt; index += 1) {
    started.push(act(index));
    await sleep(1000 / rate);
  }
  await Promise.all(started);
}

// Measures a deadline: 1,000 students submit 1 MB within 30 seconds, at a rate that rises towards the end, while five graders
// list and grade. BASELINE is the path of another built checkout to measure instead.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../support/measuring/row.ts';
import { percentile, short } from '../support/measuring/statistics.ts';
import { sendUpload, type UploadAnswer } from '../support/school/sendUpload.ts';
import { type School, startSchool } from '../support/school/startSchool.ts';

const [students, windowMs, graders] = [1_000, 30_000, 5];
const [otherQuizzes, perQuiz] = [14, 40];
// How long a grader reads between two requests.
const pauseMs = 200;
// The rate is measured in the best interval of this length, because few students submit before it.
const stretchMs = 10_000;

export async function run(): Promise<Row[]> {
  const root = process.env.BASELINE;
  const school = await startSchool({ students, pdfBytes: 1_000_000, ...(root ? { root } : {}) });
  try {
    await addGradableQuizzes(school);
    // A few warm-up uploads come first, so that V8 has compiled the code.
    const trial = await school.fixtures.newQuiz(school.courseId);
    await Promise.all(
      school.students.slice(0, 50).map((student) => sendUpload(school, { student, quizId: trial })),
    );
    return await holdDeadline(school);
  } finally {
    await school.stop();
  }
}

async function holdDeadline(school: School): Promise<Row[]> {
  const closesAt = new Date(Date.now() + windowMs + 2_000).toISOString().slice(0, 19);
  const quizId = await school.fixtures.newQuiz(school.courseId, { closes_at: closesAt });
  const isOver = { value: false };
  const reading = Promise.all(Array.from({ length: graders }, () => grade(school, isOver)));
  const startedAt = performance.now();
  const storedAt: number[] = [];
  const answers = await Promise.all(
    school.students.map(async (student, index) => {
      await sleep(windowMs * Math.sqrt(index / students));
      const answer = await sendUpload(school, { student, quizId, key: randomUUID() });
      storedAt.push(performance.now() - startedAt);
      return answer;
    }),
  );
  isOver.value = true;
  const observed = (await reading).flat();
  const [{ count } = { count: 0 }] = await school.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM quiz.submissions WHERE quiz_id = $1',
    [quizId],
  );
  return rowsOf({ answers, storedAt, observed, count });
}

interface Observation {
  kind: 'list' | 'grading';
  status: number;
  ms: number;
}

interface Result {
  answers: UploadAnswer[];
  storedAt: number[];
  observed: Observation[];
  count: number;
}

function rowsOf({ answers, storedAt, observed, count }: Result): Row[] {
  const work = '1,000 uploads of 1 MB in 30 s, five graders';
  const failed = [...answers, ...observed].filter(({ status }) => status !== 200);
  const reasons = Map.groupBy(failed, ({ status }) => status);
  const times = (kind: Observation['kind']) =>
    observed.flatMap((each) => (each.kind === kind ? [each.ms] : []));
  const uploads = answers.map(({ ms }) => ms);
  const most = storedAt.map(
    (from) => storedAt.filter((at) => at >= from && at < from + stretchMs).length / (stretchMs / 1_000),
  );
  const reading = (kind: Observation['kind'], name: string): Row => ({
    name: `deadline.${name}`,
    work: `${work}: p99 of ${name}`,
    against: 'none',
    goal: { atMost: 500 },
    unit: 'ms',
    values: [percentile(times(kind), 99)],
    note: `${times(kind).length} ${name}, median ${short(percentile(times(kind), 50))} ms, slowest ${short(Math.max(...times(kind)))} ms`,
  });
  return [
    {
      name: 'deadline.errors',
      work: `${work}: requests refused or failed, and uploads not stored`,
      against: 'none',
      goal: { atMost: 0 },
      unit: 'requests',
      values: [failed.length + students - count],
      note: [...reasons].map(([status, all]) => `${all.length} × ${status}`).join(', '),
    },
    {
      name: 'deadline.rate',
      work: `${work}: stored a second, in the best ten seconds`,
      against: 'none',
      goal: { atLeast: 40 },
      unit: 'a second',
      values: [Math.max(...most)],
      note: `answered after ${short(percentile(uploads, 50) / 1_000)} s (median), ${short(Math.max(...uploads) / 1_000)} s (slowest)`,
    },
    reading('list', 'lists'),
    reading('grading', 'gradings'),
  ];
}

async function grade({ fixtures }: School, isOver: { value: boolean }): Promise<Observation[]> {
  const admin = await fixtures.asAdmin();
  const observed: Observation[] = [];
  const observe = async (kind: Observation['kind'], send: () => ReturnType<typeof admin.get>) => {
    const startedAt = performance.now();
    const answer = await send().catch(() => ({ status: 0, body: null }));
    observed.push({ kind, status: answer.status, ms: performance.now() - startedAt });
    await sleep(pauseMs);
    return answer.body;
  };
  while (!isOver.value) {
    const list = await observe('list', () => admin.get('/api/v3/quiz/pdf-quizzes'));
    const submissions = (list?.data ?? []).flatMap(
      (quiz: { submissions: { id: number }[] }) => quiz.submissions,
    );
    const { id } = submissions[Math.floor(Math.random() * submissions.length)] ?? {};
    if (id === undefined) continue;
    const grading = { grade: Math.ceil(Math.random() * 10), total_grade: 10 };
    await observe('grading', () => admin.post(`/api/v3/quiz/pdf-quizzes/grade/${id}`, grading));
  }
  return observed;
}

// The list that graders see before the deadline: one page has about 600 submissions.
async function addGradableQuizzes({ fixtures, courseId, students: all, query }: School): Promise<void> {
  for (let each = 0; each < otherQuizzes; each += 1) {
    const quizId = await fixtures.newQuiz(courseId);
    const ids = all.slice(0, perQuiz).map(({ id }) => id);
    await query(
      `INSERT INTO quiz.submissions (quiz_id, course_id, student_id, start_at, duration_minutes, submitted_at)
       SELECT $1, $2, id, now(), 30, now() FROM unnest($3::integer[]) AS student (id)`,
      [quizId, courseId, ids],
    );
  }
}

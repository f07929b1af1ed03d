// Compares the grading queue of 100,000 submissions with one of 100, request by request, and measures changes to a
// rubric over 1,000 graded submissions.
import type { BenchDatabase } from '../support/database/benchDatabase.ts';
import { type Call, cursorsOf, timesOfWork, type Work } from '../support/load/graderCalls.ts';
import { type Measurement, measure } from '../support/measuring/measure.ts';
import type { Row } from '../support/measuring/row.ts';
import { short } from '../support/measuring/statistics.ts';
import { withBenchQuiz } from '../support/processes/withBenchQuiz.ts';

const sizes = { small: 100, large: 100_000 };
const [requestsPerRound, pageSize, laterPages] = [100, 25, 40];
const regraded = 1_000;
// The quizzes by id: small, large, and one whose submissions are graded with a rubric.
const quizOf = { small: 1, large: 2, rubric: 3 };

type Size = keyof typeof sizes;

export const run = (): Promise<Row[]> =>
  withBenchQuiz(fill, async (call, database) => {
    const measured = await measure({ rounds: 7, warmUps: 2, subjects: await subjectsOf(call) });
    console.log(measured.table());
    const changes = await timesOfChanges(database, call);
    return [...works.map((work) => growthRow(work, measured)), changesRow(changes)];
  });

const fill = `
  INSERT INTO people SELECT n, 'First' || n, 'Last' || n, n || '@test.example', false, 1
    FROM generate_series(1, ${sizes.large}) n;
  INSERT INTO quizzes (course_id, title) SELECT 1, 'Quiz ' || n FROM generate_series(1, 3) n;
  INSERT INTO files (key, name, size, sha256, crc32, attached_at)
    SELECT 'key' || n, 'answers.pdf', 1000, 'x', 1, now()
    FROM generate_series(1, ${sizes.small + sizes.large + regraded}) n;
  INSERT INTO submissions
    (quiz_id, course_id, student_id, file_id, start_at, duration_minutes, submitted_at, grade, total_grade, graded_by, graded_at)
    SELECT quiz, 1, n, first + n, now(), 30, now() - (200000 - n) * interval '1 second',
      CASE WHEN n % 2 = 0 THEN 7.5 END, CASE WHEN n % 2 = 0 THEN 10 END,
      CASE WHEN n % 2 = 0 THEN 1 END, CASE WHEN n % 2 = 0 THEN now() END
    FROM (VALUES (1, ${sizes.small}, 0), (2, ${sizes.large}, ${sizes.small}), (3, ${regraded}, ${sizes.small + sizes.large}))
      AS given (quiz, count, first), generate_series(1, count) n;`;

// The small queue has few pages, which are read repeatedly.
const cursors: Record<Size, string[]> = { small: [], large: [] };

const works: Work<Size>[] = [
  { key: 'open', name: 'the first page', request: (call, size) => call('GET', pagePath(size)) },
  {
    key: 'page',
    name: 'a later page',
    request: (call, size, index) =>
      call('GET', `${pagePath(size)}&cursor=${cursors[size][index % cursors[size].length]}`),
  },
  {
    key: 'next',
    name: 'the next submission',
    request: (call, size) => call('POST', `${quizOf[size]}/next`, {}),
    prepare: (call, { body }) => call('DELETE', `submissions/${body.data.id}/claim`),
  },
];

const pagePath = (size: Size) => `${quizOf[size]}/submissions?per_page=${pageSize}`;

async function subjectsOf(call: Call) {
  for (const size of ['small', 'large'] as const)
    cursors[size] = await cursorsOf(call, pagePath(size), laterPages);
  return works.flatMap((work) =>
    (['small', 'large'] as const).map((size) => ({
      name: `${work.key} ${size}`,
      run: () => timesOfWork(work, call, size, requestsPerRound),
    })),
  );
}

/** Durations, in milliseconds, of changes that regrade every submission of a quiz. */
async function timesOfChanges(database: BenchDatabase, call: Call): Promise<number[]> {
  const path = `${quizOf.rubric}/rubric`;
  const rubricOf = (points: number, id?: number) => ({
    mode: 'add',
    max_points: 10,
    items: [{ ...(id ? { id } : {}), points, text: 'Everything is right' }],
  });
  const made = await call('PUT', path, rubricOf(6), { 'if-none-match': '*' });
  const { id } = made.body.data.items[0];
  await database.fill(
    'quiz',
    `UPDATE submissions SET grade = 6, total_grade = 10, graded_by = 1, graded_at = now(), revision = 1,
       selection = ARRAY[${id}], rubric_revision = 1 WHERE quiz_id = ${quizOf.rubric};`,
  );
  let { etag } = made;
  const times: number[] = [];
  for (const points of [7, 6, 7, 6, 7]) {
    const dryRun = await call('PUT', `${path}?dry_run=1`, rubricOf(points, id), { 'if-match': etag });
    if (dryRun.body.data.regraded !== regraded)
      throw new Error('the change does not regrade every submission');
    const startedAt = performance.now();
    etag = (await call('PUT', path, rubricOf(points, id), { 'if-match': etag })).etag;
    times.push(performance.now() - startedAt);
  }
  return times;
}

const growthRow = ({ key, name }: Work<Size>, measured: Measurement): Row => ({
  name: `queue.${key}`,
  work: `grading queue of ${sizes.large} submissions: time of ${name}`,
  against: `a queue of ${sizes.small}`,
  goal: { atMost: 1.2 },
  values: measured.ratios(`${key} large`, `${key} small`, 'ms'),
  note: `ms: ${(['large', 'small'] as const).map((size) => `${size} ${short(measured.median(`${key} ${size}`, 'ms'))}`).join(', ')}`,
});

const changesRow = (values: number[]): Row => ({
  name: 'queue.rubric',
  work: `a change to a rubric that regrades ${regraded} submissions`,
  against: '-',
  goal: { atMost: 2_000 },
  unit: 'ms',
  values,
});

// Compares the grading queue of 100,000 submissions with one of 100, request by request, and measures changes to a
// rubric over 1,000 graded submissions.
import { startFakePeers } from '@gradeway/test/fakePeers';
import { startTokenIssuer } from '@gradeway/test/tokenIssuer';
import { type BenchDatabase, startBenchDatabase } from '../support/database/benchDatabase.ts';
import { type Figures, type Measurement, measure } from '../support/measuring/measure.ts';
import type { Row } from '../support/measuring/row.ts';
import { median, short } from '../support/measuring/statistics.ts';
import { startBenchProcess } from '../support/processes/benchProcess.ts';

const sizes = { small: 100, large: 100_000 };
const [requestsPerRound, pageSize, laterPages] = [100, 25, 40];
const regraded = 1_000;
// The quizzes by id: small, large, and one whose submissions are graded with a rubric.
const quizOf = { small: 1, large: 2, rubric: 3 };

type Size = keyof typeof sizes;
type Call = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Answer>;

interface Answer {
  status: number;
  etag: string;
  // biome-ignore lint/suspicious/noExplicitAny: responses of different shapes
  body: any;
}

export async function run(): Promise<Row[]> {
  const database = await startBenchDatabase();
  const [peers, tokens] = [await startFakePeers(), await startTokenIssuer()];
  const quiz = await startBenchProcess('quiz', { database, peers, tokens });
  await database.fill('quiz', fill);
  const call = createCall(quiz.url, tokens.sign(1, 'admin'));

  const measured = await measure({ rounds: 7, warmUps: 2, subjects: await subjectsOf(call) });
  console.log(measured.table());
  const changes = await timesOfChanges(database, call);
  await quiz.stop();
  await Promise.all([peers.close(), tokens.close()]);
  await database.stop();
  return [...works.map((work) => growthRow(work, measured)), changesRow(changes)];
}

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

const createCall =
  (origin: string, token: string): Call =>
  async (method, path, body, headers = {}) => {
    const answer = await fetch(`${origin}/api/v3/grading/quizzes/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${text}`);
    return { status: answer.status, etag: answer.headers.get('etag') ?? '', body: text && JSON.parse(text) };
  };

/** A request from a grader to a queue. `prepare` runs after it and is not measured. */
interface Work {
  key: string;
  name: string;
  request(call: Call, size: Size, index: number): Promise<Answer>;
  prepare?(call: Call, answer: Answer): Promise<unknown>;
}

const cursors: Record<Size, string[]> = { small: [], large: [] };

const works: Work[] = [
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
  for (const size of ['small', 'large'] as const) await collectCursors(call, size);
  return works.flatMap((work) =>
    (['small', 'large'] as const).map((size) => ({
      name: `${work.key} ${size}`,
      run: () => timesOf(work, call, size),
    })),
  );
}

// The small queue has few pages, which are read repeatedly.
async function collectCursors(call: Call, size: Size): Promise<void> {
  let cursor: string | null = '';
  while (cursor !== null && cursors[size].length < laterPages) {
    const { body }: Answer = await call('GET', `${pagePath(size)}${cursor && `&cursor=${cursor}`}`);
    cursor = body.links.next && new URL(body.links.next).searchParams.get('cursor');
    if (cursor) cursors[size].push(cursor);
  }
}

async function timesOf({ request, prepare }: Work, call: Call, size: Size): Promise<Figures> {
  const times: number[] = [];
  for (let index = 0; index < requestsPerRound; index += 1) {
    const startedAt = performance.now();
    const answer = await request(call, size, index);
    times.push(performance.now() - startedAt);
    await prepare?.(call, answer);
  }
  return { ms: median(times) };
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

const growthRow = ({ key, name }: Work, measured: Measurement): Row => ({
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

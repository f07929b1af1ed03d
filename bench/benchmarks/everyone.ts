// Compares the lists of students expected to hand in for courses of 20,000 and 100 students, and measures the memory
// of quiz and courses meanwhile.
import { startFakePeers } from '@gradeway/test/fakePeers';
import { startTokenIssuer } from '@gradeway/test/tokenIssuer';
import { startBenchDatabase } from '../support/database/benchDatabase.ts';
import { type Figures, type Measurement, measure } from '../support/measuring/measure.ts';
import type { Row } from '../support/measuring/row.ts';
import { median, short } from '../support/measuring/statistics.ts';
import { type BenchProcess, startBenchProcess } from '../support/processes/benchProcess.ts';

const sizes = { small: 100, large: 20_000 };
// The ids of courses and quizzes.
const idOf = { small: 1, large: 2 };
const requestsPerRound = 40;
const laterRequests = 1_000;

type Size = keyof typeof sizes;

export async function run(): Promise<Row[]> {
  const database = await startBenchDatabase();
  const [peers, tokens] = [await startFakePeers(), await startTokenIssuer()];
  const courses = await startBenchProcess('courses', { database, peers, tokens });
  const real = { ...peers, coursesGrpc: courses.grpcAddress };
  const quiz = await startBenchProcess('quiz', { database, peers: real, tokens });
  await database.fill('courses', students);
  await database.fill('quiz', submissions);

  const list = createList(quiz.url, tokens.sign(1, 'admin'));
  const measured = await measure({
    rounds: 7,
    warmUps: 2,
    subjects: (['small', 'large'] as const).map((size) => ({ name: size, run: () => timesOf(size, list) })),
  });
  console.log(measured.table());
  // The heaps have reached their full size by now. From here on they must not grow.
  const before = await memory([quiz, courses]);
  await timesOf('large', list, laterRequests);
  const grownMb = (await memory([quiz, courses])) - before;
  for (const process of [quiz, courses]) await process.stop();
  await Promise.all([peers.close(), tokens.close()]);
  await database.stop();
  return [growthRow(measured), memoryRow(grownMb)];
}

const enrolled = `FROM (VALUES (${idOf.small}, ${sizes.small}), (${idOf.large}, ${sizes.large})) AS course (id, size),
  generate_series(1, size) n`;

const students = `
  INSERT INTO courses (title) VALUES ('Small'), ('Large');
  INSERT INTO people (user_id, first_name, last_name, email, is_deleted, revision)
    SELECT n, 'First' || n, 'Last' || n, n || '@test.example', false, 1 FROM generate_series(1, ${sizes.large}) n;
  INSERT INTO roster (course_id, user_id, is_enrolled, paid) SELECT course.id, n, true, true ${enrolled};`;

// A third of the students have submitted, half of those are graded, and every hundredth student is excused.
const submissions = `
  INSERT INTO quizzes (course_id, title) VALUES (1, 'Small'), (2, 'Large');
  INSERT INTO submissions
    (quiz_id, course_id, student_id, start_at, duration_minutes, submitted_at, grade, total_grade, graded_by, graded_at)
    SELECT course.id, course.id, n, now(), 30, now(), CASE WHEN n % 6 = 0 THEN 7.5 END,
      CASE WHEN n % 6 = 0 THEN 10 END, CASE WHEN n % 6 = 0 THEN 1 END, CASE WHEN n % 6 = 0 THEN now() END
    ${enrolled} WHERE n % 3 = 0;
  INSERT INTO allowances (item_id, student_id, excused, changed_by)
    SELECT course.id, n, true, 1 ${enrolled} WHERE n % 100 = 0;`;

const createList = (origin: string, token: string) => async (size: Size, cursor?: string) => {
  const query = cursor === undefined ? '' : `?cursor=${cursor}`;
  const url = `${origin}/api/v3/grading/quizzes/${idOf[size]}/students${query}`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the list returned ${answer.status}: ${text}`);
  const { links, meta } = JSON.parse(text) as { links: { next: string | null }; meta: { total: number } };
  if (meta.total !== sizes[size]) throw new Error(`${meta.total} students are listed`);
  return links.next === null ? undefined : (new URL(links.next).searchParams.get('cursor') ?? undefined);
};

/** Reads page after page, starting over after the last one. */
async function timesOf(
  size: Size,
  list: ReturnType<typeof createList>,
  requests = requestsPerRound,
): Promise<Figures> {
  const times: number[] = [];
  let cursor: string | undefined;
  for (let index = 0; index < requests; index += 1) {
    const startedAt = performance.now();
    cursor = await list(size, cursor);
    times.push(performance.now() - startedAt);
  }
  return { ms: median(times) };
}

async function memory(processes: BenchProcess[]): Promise<number> {
  const bytes = await Promise.all(processes.map((process) => process.memory()));
  return bytes.reduce((sum, each) => sum + each, 0) / 1e6;
}

const growthRow = (measured: Measurement): Row => ({
  name: 'everyone.page',
  work: `list of everyone in a course of ${sizes.large} students: time of a page`,
  against: `a course of ${sizes.small}`,
  goal: { atMost: 4 },
  values: measured.ratios('large', 'small', 'ms'),
  note: `ms: ${(['large', 'small'] as const).map((size) => `${size} ${short(measured.median(size, 'ms'))}`).join(', ')}`,
});

const memoryRow = (grownMb: number): Row => ({
  name: 'everyone.memory',
  work: `list of everyone in a course of ${sizes.large} students: growth of quiz and courses over ${laterRequests} pages`,
  against: '-',
  goal: { atMost: 64 },
  unit: 'MB',
  values: [grownMb],
});

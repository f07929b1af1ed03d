// Compares the grid of a course of 20,000 students and 100 items with that of a course of 100 students, and measures
// the memory used to export its file.
import { startFakePeers } from '@gradeway/test/fakePeers';
import { startTokenIssuer } from '@gradeway/test/tokenIssuer';
import { startBenchDatabase } from '../support/database/benchDatabase.ts';
import { measure } from '../support/measuring/measure.ts';
import type { Row } from '../support/measuring/row.ts';
import { median, short } from '../support/measuring/statistics.ts';
import { startBenchProcess } from '../support/processes/benchProcess.ts';

const students = { small: 100, large: 20_000 };
const courseOf = { small: 1, large: 2 };
const [items, pagesPerRound] = [100, 5];

type Size = keyof typeof students;
const sizes: Size[] = ['small', 'large'];
const ofEach = `(VALUES (1, ${students.small}), (2, ${students.large})) AS given (course, count)`;

const fill = `
  INSERT INTO courses (title, student_count) SELECT 'Course ' || course, count FROM ${ofEach};
  INSERT INTO people SELECT n, 'First' || n, 'Last' || n, n || '@test.example', false, 1
    FROM generate_series(1, ${students.large}) n;
  INSERT INTO roster (course_id, user_id, is_enrolled, paid, revision, is_graded, first_name, last_name, email)
    SELECT course, n, true, true, 1, true, 'First' || n, 'Last' || n, n || '@test.example'
    FROM ${ofEach}, generate_series(1, count) n;
  INSERT INTO gradebook_items (kind, item_id, course_id, title, total_grade, created_at, published, closes_at, late,
      released_at, anonymous, is_deleted, revision)
    SELECT 'quiz', course * 1000 + item, course, 'Quiz ' || item, 20, now(), true, now() - interval '1 hour',
      '{"until": "2100-01-01T00:00:00Z", "graceMinutes": 0, "penaltyPercent": 10, "per": "once", "floorPercent": 0}', now(),
      false, false, 1
    FROM ${ofEach}, generate_series(1, ${items}) item;
  INSERT INTO gradebook_submissions
    SELECT 'quiz', (course * 1000 + item) * 100000 + n, course, n, course * 1000 + item, now(), false, 1
    FROM ${ofEach}, generate_series(1, ${items}) item, generate_series(1, count) n;
  INSERT INTO grades
    SELECT 'quiz', (course * 1000 + item) * 100000 + n, course, n, course * 1000 + item, 'Quiz', n % 20, 20, now(), 1, now(), 1
    FROM ${ofEach}, generate_series(1, ${items}) item, generate_series(1, count) n;
  INSERT INTO gradebook_statistics
    SELECT kind, item_id, count(*), sum(grade) FROM grades GROUP BY kind, item_id;
  INSERT INTO gradebook_allowances
    SELECT n, 'quiz', course * 1000 + 1, now() + interval '1 day', n % 2 = 0, 1
    FROM ${ofEach}, generate_series(1, ${students.small}) n;`;

export async function run(): Promise<Row[]> {
  const database = await startBenchDatabase();
  const [peers, tokens] = [await startFakePeers(), await startTokenIssuer()];
  const service = await startBenchProcess('courses', { database, peers, tokens });
  await database.fill('courses', fill);
  const headers = { authorization: `Bearer ${tokens.sign(1, 'admin')}` };
  const read = async (size: Size, query: string) => {
    const answer = await fetch(`${service.url}/api/v3/admin/courses/${courseOf[size]}/gradebook?${query}`, {
      headers,
    });
    if (!answer.ok) throw new Error(`the grid failed with status ${answer.status}`);
    return answer;
  };
  const pages = async (size: Size) => {
    const times: number[] = [];
    for (let page = 1; page <= pagesPerRound; page += 1) {
      const startedAt = performance.now();
      await (await read(size, `format=grid&per_page=20&page=${page}`)).text();
      times.push(performance.now() - startedAt);
    }
    return { ms: median(times) };
  };
  const measured = await measure({
    subjects: sizes.map((size) => ({ name: size, run: () => pages(size) })),
    rounds: 7,
    warmUps: 2,
  });
  console.log(measured.table());

  // The smaller file is read first, so that only the growth with the number of students is measured.
  await (await read('small', 'format=grid.csv')).text();
  await service.resetPeak();
  const before = await service.memory();
  const startedAt = performance.now();
  let bytes = 0;
  for await (const chunk of (await read('large', 'format=grid.csv')).body ?? []) bytes += chunk.length;
  const seconds = (performance.now() - startedAt) / 1000;
  const growth = ((await service.peakMemory()) - before) / 2 ** 20;
  await service.stop();
  await Promise.all([peers.close(), tokens.close()]);
  await database.stop();
  return [
    {
      name: 'gradebook.page',
      work: `a page of 20 students of the grid of ${students.large} students and ${items} items`,
      against: `a course of ${students.small}`,
      goal: { atMost: 4 },
      values: measured.ratios('large', 'small', 'ms'),
      note: `ms: ${sizes.map((size) => `${size} ${short(measured.median(size, 'ms'))}`).join(', ')}`,
    },
    {
      name: 'gradebook.memory',
      work: `the file of the same grid, ${short(bytes / 1e6)} MB: growth of the resident memory`,
      against: '-',
      goal: { atMost: 100 },
      unit: 'MiB',
      values: [growth],
      note: `${short(seconds)} s`,
    },
  ];
}

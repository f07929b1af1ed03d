import type { Page } from 'playwright-core';
import type { Row } from '../measuring/row.ts';
import { median, short } from '../measuring/statistics.ts';
import type { WebScene } from './scene.ts';

const sizes = { small: 100, large: 100_000 };
const rounds = 9;
const scrollMs = 3_000;

type Size = keyof typeof sizes;

/** The table of 100,000 submissions, compared with one of 100. */
export async function measureLargeTable(scene: WebScene): Promise<Row[]> {
  const quizzes = { small: await fillQuiz(scene, 'small'), large: await fillQuiz(scene, 'large') };
  const page = await scene.openPage(scene.instructor);
  const times: Record<Size, number[]> = { small: [], large: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const size of ['small', 'large'] as const) {
      const ms = await timeToOpen(page, scene.baseUrl, quizzes[size], size);
      // The first round compiles.
      if (round > 0) times[size].push(ms);
    }
  const frames = await framesWhileScrolling(page);
  await page.context().close();
  const note = `ms: 100,000 ${short(median(times.large))}, 100 ${short(median(times.small))}`;
  return [
    {
      name: 'web.table.open',
      work: 'the table of 100000 submissions: from the click until rows are painted',
      against: 'a table of 100',
      goal: { atMost: 1.2 },
      values: times.large.map((ms) => ms / median(times.small)),
      note,
    },
    {
      name: 'web.table.frames',
      work: 'scrolling through the table of 100000 submissions: frames a second',
      against: '-',
      goal: { atLeast: 58 },
      unit: 'a second',
      values: [frames.rate],
      note: `slowest frame ${short(frames.slowest)} ms`,
    },
  ];
}

/** Submissions by people who exist only in quiz. */
async function fillQuiz({ school }: WebScene, size: Size): Promise<number> {
  const quizId = await school.fixtures.newQuiz(school.courseId, { title: `Table of ${sizes[size]}` });
  const count = sizes[size];
  const first = quizId * 1_000_000;
  await school.query(
    `INSERT INTO quiz.people (user_id, first_name, last_name, email, is_deleted, revision)
     SELECT $1::integer + n, 'First' || n, 'Last' || n, n || '@table.example', false, 1 FROM generate_series(1, $2::integer) n`,
    [first, count],
  );
  await school.query(
    `WITH file AS (
       INSERT INTO quiz.files (key, name, size, sha256, crc32, attached_at)
       SELECT 'table' || $1::integer || '-' || n, 'answers.pdf', 1000, repeat('0', 64), 1, now() FROM generate_series(1, $2::integer) n
       RETURNING id
     ), numbered AS (SELECT id, row_number() OVER () AS n FROM file)
     INSERT INTO quiz.submissions
       (quiz_id, course_id, student_id, file_id, start_at, duration_minutes, submitted_at, grade, total_grade, graded_by, graded_at)
     SELECT $3, $4, $1::integer + n, id, now(), 30, now() - (200000 - n) * interval '1 second',
       CASE WHEN n % 2 = 0 THEN 7.5 END, CASE WHEN n % 2 = 0 THEN 10 END,
       CASE WHEN n % 2 = 0 THEN 1 END, CASE WHEN n % 2 = 0 THEN now() END
     FROM numbered`,
    [first, count, quizId, school.courseId],
  );
  await school.query('ANALYZE quiz.submissions');
  return quizId;
}

async function timeToOpen(page: Page, baseUrl: string, quizId: number, size: Size): Promise<number> {
  await page.goto(`${baseUrl}/grading`);
  const link = page.getByRole('link', { name: `Table of ${sizes[size]}`, exact: true });
  await link.waitFor();
  return link.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        const from = performance.now();
        (element as HTMLElement).click();
        const look = () => {
          const row = document.querySelector('[role=row] time, tbody tr time');
          if (!row) requestAnimationFrame(look);
          else requestAnimationFrame(() => resolve(performance.now() - from));
        };
        look();
      }),
    quizId,
  );
}

/** Scrolls like a mouse wheel that is turned continuously. */
async function framesWhileScrolling(page: Page): Promise<{ rate: number; slowest: number }> {
  await page.mouse.move(700, 600);
  const frames = page.evaluate(
    (ms) =>
      new Promise<number[]>((resolve) => {
        const times: number[] = [];
        const count = (now: number) => {
          times.push(now);
          if (now - (times[0] ?? now) < ms) requestAnimationFrame(count);
          else resolve(times);
        };
        requestAnimationFrame(count);
      }),
    scrollMs,
  );
  let isOver = false;
  const wheel = async () => {
    while (!isOver) await page.mouse.wheel(0, 400);
  };
  const turning = wheel();
  const times = await frames;
  isOver = true;
  await turning;
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const passed = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return { rate: (1_000 * gaps.length) / passed, slowest: Math.max(...gaps) };
}

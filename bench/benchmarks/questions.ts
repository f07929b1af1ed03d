// Compares, request by request, the queues of 20 questions with 100,000 submissions and 20 graders with those of
// 1,000 submissions and one grader.
import { type Call, cursorsOf, timesOfWork, type Work } from '../support/load/graderCalls.ts';
import { type Measurement, measure } from '../support/measuring/measure.ts';
import type { Row } from '../support/measuring/row.ts';
import { short } from '../support/measuring/statistics.ts';
import { withBenchQuiz } from '../support/processes/withBenchQuiz.ts';

const sizes = { small: 1_000, large: 100_000 };
const [questions, otherGraders] = [20, 19];
// The statistics read every graded answer.
const requestsPerRound = { statistics: 3, others: 100 };
const [pageSize, laterPages] = [25, 30];
// The quizzes by id. The small quiz has questions 1 to 20, the large one 21 to 40.
const quizOf = { small: 1, large: 2 };

type Size = keyof typeof sizes;

const questionOf = (size: Size, index: number): number =>
  (quizOf[size] - 1) * questions + (index % questions) + 1;

export const run = (): Promise<Row[]> =>
  withBenchQuiz(fill, async (call) => {
    const measured = await measure({ rounds: 7, warmUps: 2, subjects: await subjectsOf(call) });
    console.log(measured.table());
    return works.map((work) => growthRow(work, measured));
  });

// Every other submission is graded. The other graders have claimed the first answers to each question of the large quiz.
const pointsOf = `((s.student_id * 7 + q.id * 3) % 11) * 0.5`;
const fill = `
  INSERT INTO people SELECT n, 'First' || n, 'Last' || n, n || '@test.example', false, 1
    FROM generate_series(1, ${sizes.large}) n;
  INSERT INTO quizzes (course_id, title) SELECT 1, 'Quiz ' || n FROM generate_series(1, 2) n;
  INSERT INTO submissions (quiz_id, course_id, student_id, start_at, duration_minutes, submitted_at)
    SELECT quiz, 1, n, now(), 30, now() - (200000 - n) * interval '1 second'
    FROM (VALUES (1, ${sizes.small}), (2, ${sizes.large})) AS given (quiz, count), generate_series(1, count) n;
  INSERT INTO outlines (item_id, revision) VALUES (1, 1), (2, 1);
  INSERT INTO questions (item_id, place, label, max_points)
    SELECT quiz, n, n::text, 5 FROM generate_series(1, 2) quiz, generate_series(1, ${questions}) n ORDER BY 1, 2;
  INSERT INTO answers (submission_id, question_id, submitted_at, code, is_waiting, points, graded_by, graded_at, revision)
    SELECT s.id, q.id, s.submitted_at, s.code, s.student_id % 2 = 1,
      CASE WHEN s.student_id % 2 = 0 THEN ${pointsOf} END, CASE WHEN s.student_id % 2 = 0 THEN 1 + q.id % 20 END,
      CASE WHEN s.student_id % 2 = 0 THEN now() END, 1
    FROM submissions s JOIN questions q ON q.item_id = s.quiz_id;
  UPDATE submissions s SET grade = graded.sum, total_grade = 5 * ${questions}, graded_by = 1, graded_at = now(), revision = 1
    FROM (SELECT submission_id, sum(points) FROM answers WHERE points IS NOT NULL GROUP BY 1) AS graded
    WHERE s.id = graded.submission_id;
  INSERT INTO grading_totals SELECT quiz_id, 0, count(*), count(grade) FROM submissions GROUP BY 1;
  INSERT INTO answer_totals
    SELECT question_id, graded_by, points, count(*) FROM answers WHERE points IS NOT NULL GROUP BY 1, 2, 3;
  INSERT INTO answer_claims
    SELECT first.submission_id, q.id, q.item_id, 1000 + first.place, now() + interval '1 day'
    FROM questions q CROSS JOIN LATERAL (
      SELECT a.submission_id, row_number() OVER (ORDER BY a.submitted_at) AS place
      FROM answers a WHERE a.question_id = q.id AND a.is_waiting ORDER BY a.submitted_at LIMIT ${otherGraders}) AS first
    WHERE q.item_id = 2;`;

// The small queue has few pages, which are read repeatedly.
const cursors: Record<Size, string[]> = { small: [], large: [] };

const works: Work<Size>[] = [
  {
    key: 'next',
    name: 'the next answer to a question',
    request: (call, size, index) =>
      call('POST', `${quizOf[size]}/next`, { question_id: questionOf(size, index) }),
    prepare: release,
  },
  {
    key: 'any',
    name: 'the next answer to any question',
    request: (call, size) => call('POST', `${quizOf[size]}/next`, {}),
    prepare: release,
  },
  {
    key: 'page',
    name: 'a later page',
    request: (call, size, index) =>
      call('GET', `${pagePath(size)}&cursor=${cursors[size][index % cursors[size].length]}`),
  },
  { key: 'progress', name: 'progress', request: (call, size) => call('GET', `${quizOf[size]}/progress`) },
  {
    key: 'statistics',
    name: 'statistics',
    request: (call, size) => call('GET', `${quizOf[size]}/statistics`),
  },
];

function release(call: Call, { body: { data } }: Awaited<ReturnType<Call>>) {
  return call('DELETE', `submissions/${data.id}/questions/${data.next_question_id}/claim`);
}

const pagePath = (size: Size) =>
  `${quizOf[size]}/submissions?question_id=${questionOf(size, 0)}&per_page=${pageSize}`;

async function subjectsOf(call: Call) {
  for (const size of ['small', 'large'] as const)
    cursors[size] = await cursorsOf(call, pagePath(size), laterPages);
  return works.flatMap((work) =>
    (['small', 'large'] as const).map((size) => ({
      name: `${work.key} ${size}`,
      run: () =>
        timesOfWork(work, call, size, requestsPerRound[work.key === 'statistics' ? 'statistics' : 'others']),
    })),
  );
}

const growthRow = ({ key, name }: Work<Size>, measured: Measurement): Row => ({
  name: `questions.${key}`,
  work: `${sizes.large} submissions with ${questions} questions and ${otherGraders + 1} graders: time of ${name}`,
  against: `${sizes.small} submissions and one grader`,
  goal: { atMost: 1.2 },
  values: measured.ratios(`${key} large`, `${key} small`, 'ms'),
  note: `ms: ${(['large', 'small'] as const).map((size) => `${size} ${short(measured.median(`${key} ${size}`, 'ms'))}`).join(', ')}`,
});

import { memoryOf } from '@gradeway/test/processUsage';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeRubric, etagOf, grade, gradeByItem, makeRubric, newGrader, newQueue } from './graders.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const many = 20_000;
const mostRowsOfAStatement = 1_000;
const megabyte = 1024 * 1024;
// All of them at once would be 100 MB. Batches leave some garbage, as do events published at the same time.
const allowedMegabytes = 75;

async function newScene(count: number) {
  const queue = await newQueue(quiz, count);
  const grader = newGrader(quiz, queue.courseId);
  const items = [
    { points: 6, text: 'Six' },
    { points: 1, text: 'One' },
  ];
  const rubric = await makeRubric(grader, queue, { mode: 'add', max_points: 10, items });
  await gradeByItem(quiz, queue, rubric.items[0]?.id);
  const change = (points: number, group: string | null = null) =>
    changeRubric(grader, queue, {
      mode: 'add',
      max_points: 10,
      items: rubric.items.map((item, place) => ({
        ...item,
        group,
        points: place === 0 ? points : item.points,
      })),
    });
  const remove = async () => {
    const path = `${queue.path}/rubric`;
    return grader.delete(path, { 'if-match': etagOf(await grader.get(path)) });
  };
  return { ...queue, items: rubric.items, change, remove };
}

/** The stored rows of a quiz: the number of submissions with each grade, and of regradings and events. */
const storedFor = (quizId: number) =>
  quiz.database.query(
    `SELECT grade::float8 AS grade, rubric_revision AS revision, count(*)::int AS submissions,
       (SELECT count(*)::int FROM quiz.gradings g JOIN quiz.submissions r ON r.id = g.submission_id
        WHERE r.quiz_id = $1 AND g.reason = 'rubric') AS regradings,
       (SELECT count(*)::int FROM quiz.outbox WHERE body->'data'->>'quiz_id' = $1::text) AS events
     FROM quiz.submissions WHERE quiz_id = $1 GROUP BY 1, 2`,
    [quizId],
  );

/** The transactions that are changing submissions. */
const writers = `
  SELECT FROM pg_locks WHERE relation = 'quiz.submissions'::regclass AND mode = 'RowExclusiveLock'`;

/** From now on, counts the submissions that each statement changes. */
async function countRowsOfStatements(): Promise<() => Promise<number>> {
  await quiz.database.query(`
    CREATE TABLE quiz.statements (changed integer);
    CREATE FUNCTION quiz.count_statement() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      INSERT INTO quiz.statements SELECT count(*) FROM changed;
      RETURN NULL;
    END $$;
    CREATE TRIGGER counted_statements AFTER UPDATE ON quiz.submissions
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION quiz.count_statement()`);
  return async () => {
    const [row] = await quiz.database.query<{ most: number }>(
      'SELECT max(changed) AS most FROM quiz.statements',
    );
    return row?.most ?? 0;
  };
}

test('a rubric change over 20,000 submissions is atomic, does not delay graders of another quiz, and uses constant memory', async () => {
  const warm = await newScene(2_500);
  for (const points of [7, 8]) expect((await warm.change(points)).status).toBe(200);

  const { quizId, items, submissionIds, change, remove } = await newScene(many);
  const other = await newQueue(quiz, 1);
  const mostRows = await countRowsOfStatements();
  const before = memoryOf(quiz.service.pid).peak;
  let isChanged = false;
  const changing = change(7).finally(() => (isChanged = true));
  await waitFor(async () => (await quiz.database.query(writers)).length > 0);
  const graderOfOther = newGrader(quiz, other.courseId);
  expect((await grade(graderOfOther, other.submissionIds[0], { grade: 5 })).status).toBe(200);
  expect(isChanged).toBe(false);
  expect((await changing).status).toBe(200);
  const changed = [{ grade: 7, revision: 2, submissions: many, regradings: many, events: many }];
  expect(await storedFor(quizId)).toEqual(changed);
  expect((memoryOf(quiz.service.pid).peak - before) / megabyte).toBeLessThan(allowedMegabytes);
  expect(await mostRows()).toBeLessThanOrEqual(mostRowsOfAStatement);

  // The last one rejects the change, after all others have been regraded.
  await quiz.database.query('UPDATE quiz.submissions SET selection = $2 WHERE id = $1', [
    submissionIds.at(-1),
    items.map(({ id }) => id),
  ]);
  expect((await change(8, 'one of them')).status).toBe(422);
  expect(await storedFor(quizId)).toEqual(changed);

  expect((await remove()).status).toBe(204);
  expect(await storedFor(quizId)).toEqual([{ ...changed[0], revision: null }]);
  expect(await mostRows()).toBeLessThanOrEqual(mostRowsOfAStatement);
}, 240_000);

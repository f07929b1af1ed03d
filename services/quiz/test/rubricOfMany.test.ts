import { memoryOf } from '@gradeway/test/processUsage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeRubric, gradeByItem, makeRubric, newGrader, newQueue } from './graders.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const many = 20_000;
const megabyte = 1024 * 1024;
// Batches of 500, and what they leave to the garbage collection, are 50 MB at most; all at once would be 115 MB.
const allowedMegabytes = 85;

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
  return { ...queue, items: rubric.items, change };
}

/** The stored rows of a quiz: the number of submissions with each grade, and the numbers of regradings and events. */
const storedFor = (quizId: number) =>
  quiz.database.query(
    `SELECT grade::float8 AS grade, rubric_revision AS revision, count(*)::int AS submissions,
       (SELECT count(*)::int FROM quiz.gradings g JOIN quiz.submissions r ON r.id = g.submission_id
        WHERE r.quiz_id = $1 AND g.reason = 'rubric') AS regradings,
       (SELECT count(*)::int FROM quiz.outbox WHERE body->'data'->>'quiz_id' = $1::text) AS events
     FROM quiz.submissions WHERE quiz_id = $1 GROUP BY 1, 2`,
    [quizId],
  );

test('a change of the rubric over 20,000 submissions is all or nothing, and its memory does not grow with them', async () => {
  const warm = await newScene(1_000);
  for (const points of [7, 8, 9]) expect((await warm.change(points)).status).toBe(200);

  const { quizId, items, submissionIds, change } = await newScene(many);
  const before = memoryOf(quiz.service.pid).peak;
  expect((await change(7)).status).toBe(200);
  const changed = [{ grade: 7, revision: 2, submissions: many, regradings: many, events: many }];
  expect(await storedFor(quizId)).toEqual(changed);
  expect((memoryOf(quiz.service.pid).peak - before) / megabyte).toBeLessThan(allowedMegabytes);

  // The last one refuses the change, when all others are regraded already.
  await quiz.database.query('UPDATE quiz.submissions SET selection = $2 WHERE id = $1', [
    submissionIds.at(-1),
    items.map(({ id }) => id),
  ]);
  expect((await change(8, 'one of them')).status).toBe(422);
  expect(await storedFor(quizId)).toEqual(changed);
});

import { memoryOf } from '@gradeway/test/processUsage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { etagOf } from './graders.ts';
import { makeQuestionRubric, newOutlineScene, putOutline, question, rubricPath } from './outlines.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const many = 20_000;
const megabyte = 1024 * 1024;
const allowedMegabytes = 75;

/** All answers to two questions are graded: the first with an item of its rubric, the second with 1 point. */
async function newScene(count: number) {
  const scene = await newOutlineScene(quiz, [question('1', 10), question('2', 10)], count);
  const [one, two] = scene.questions;
  const items = [{ points: 6, text: 'Six' }];
  const rubric = await makeQuestionRubric(scene.teacher, scene, one?.id, { mode: 'add', items });
  const [item] = rubric.items;
  const trigger = (action: string) =>
    quiz.database.query(`ALTER TABLE quiz.answers ${action} TRIGGER selected_items_count`);
  await trigger('DISABLE');
  await quiz.database.query(
    `WITH graded AS (
       UPDATE quiz.answers SET is_waiting = false, graded_by = 9, graded_at = now(), revision = 1,
         points = CASE WHEN question_id = $1 THEN 6 ELSE 1 END,
         selection = CASE WHEN question_id = $1 THEN ARRAY[$3::integer] ELSE '{}' END,
         rubric_revision = CASE WHEN question_id = $1 THEN 1 END, comment = repeat('x', 1000)
       WHERE question_id IN ($1, $2) RETURNING submission_id),
     whole AS (
       UPDATE quiz.submissions SET grade = 7, total_grade = 20, graded_by = 9, graded_at = now(), revision = 1
       WHERE id IN (SELECT submission_id FROM graded))
     UPDATE quiz.question_rubric_items SET uses = (SELECT count(*) / 2 FROM graded) WHERE id = $3`,
    [one?.id, two?.id, item?.id],
  );
  await trigger('ENABLE');
  const change = async (points: number, query = '') => {
    const path = rubricPath(scene, one?.id);
    const headers = { 'if-match': etagOf(await scene.teacher.get(path)) };
    return scene.teacher.put(`${path}${query}`, { mode: 'add', items: [{ ...item, points }] }, headers);
  };
  return { ...scene, one, two, change };
}

const storedFor = (quizId: number) =>
  quiz.database.query(
    `SELECT grade::float8 AS grade, count(*)::int AS submissions,
       (SELECT count(*)::int FROM quiz.answer_gradings g JOIN quiz.submissions r ON r.id = g.submission_id
        WHERE r.quiz_id = $1 AND g.reason = 'rubric') AS regradings,
       (SELECT count(*)::int FROM quiz.outbox
        WHERE type = 'quiz.submission.graded.v1' AND body->'data'->>'quiz_id' = $1::text) AS events
     FROM quiz.submissions WHERE quiz_id = $1 GROUP BY 1`,
    [quizId],
  );

test("a question's rubric and outline change over 20,000 answers in bounded memory", async () => {
  const warm = await newScene(2_500);
  for (const points of [7, 8]) expect((await warm.change(points)).status).toBe(200);

  const scene = await newScene(many);
  const before = memoryOf(quiz.service.pid).peak;
  const dry = await scene.change(7, '?dry_run=1');
  expect(dry.body.data).toMatchObject({ regraded: many, min_change: 1, max_change: 1 });
  expect((await scene.change(7)).status).toBe(200);
  expect(await storedFor(scene.quizId)).toEqual([
    { grade: 8, submissions: many, regradings: many, events: many },
  ]);

  const larger = [{ ...scene.one, max_points: 12 }, scene.two as object];
  const plan = await putOutline(scene.teacher, scene, larger, '?dry_run=1');
  expect(plan.body.data).toMatchObject({ regraded: many, ungraded: 0, min_change: 0, max_change: 0 });
  expect((await putOutline(scene.teacher, scene, larger)).status).toBe(200);
  expect((await putOutline(scene.teacher, scene, larger.slice(0, 1))).status).toBe(200);
  expect(await storedFor(scene.quizId)).toMatchObject([{ grade: 7, submissions: many, events: 3 * many }]);
  expect((memoryOf(quiz.service.pid).peak - before) / megabyte).toBeLessThan(allowedMegabytes);
}, 240_000);

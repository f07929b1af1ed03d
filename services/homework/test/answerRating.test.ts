import { createHttpClient } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HomeworkService, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService();
});
afterAll(() => homework.close());

const addQuestions = `
  WITH outline AS (INSERT INTO homework.outlines (item_id, revision) VALUES ($1::integer, 1))
  INSERT INTO homework.questions (item_id, place, label, max_points)
  SELECT $1::integer, given.place, given.place::text, given.points
  FROM unnest($2::numeric[]) WITH ORDINALITY AS given (points, place) ORDER BY given.place RETURNING id`;

/** A submission for an assignment with one question per maximum, and an administrator who grades it. */
async function newScene(maxPoints: number[]) {
  const scene = await homework.setUp({ assignment_deadline: '2099-11-21T19:05:00' });
  const rows = await homework.rows<{ id: number }>(addQuestions, scene.classId, maxPoints);
  const { id } = await homework.submitted(scene.classId, scene.student, ['a.pdf']);
  const grader = createHttpClient({ baseUrl: homework.service.url, token: homework.tokens.sign(1, 'admin') });
  const path = `/api/v3/grading/homeworks/submissions/${id}`;
  const questions = rows.map((row) => row.id).toSorted((one, other) => one - other);
  const put = (place: number, points: number) =>
    grader.put(`${path}/questions/${questions[place]}`, { points }, { 'if-match': '*' });
  return { ...scene, grader, path, questions, put };
}

describe('the rating by answers', () => {
  test.each([
    [[3, 4.5], [1.5, 2.25], 5],
    [[3, 4.5], [0, 0], 1],
    [[3, 4.5], [3, 4.5], 10],
    // 10 × 0.75 ÷ 3 is exactly one half.
    [[1, 2], [0.25, 0.5], 3],
    [[1, 2], [0.25, 0.4999], 2],
  ])('with the maxima %j and the points %j is %d', async (maxPoints, points, rating) => {
    const { grader, path, put } = await newScene(maxPoints);
    await put(0, points[0] ?? 0);
    expect((await grader.get(path)).body.data).toMatchObject({ grade: null, graded_questions: 1 });
    await put(1, points[1] ?? 0);
    expect((await grader.get(path)).body.data).toMatchObject({ grade: rating, total_grade: 10 });
  });

  test('the queue, the statistics and the progress of a question are the same as for quizzes', async () => {
    const { grader, classId, path, questions, put } = await newScene([4]);
    const item = `/api/v3/grading/homeworks/${classId}`;
    const [question] = questions;
    const next = await grader.post(`${item}/next`, { question_id: question });
    expect(next.body.data).toMatchObject({
      next_question_id: question,
      answers: [{ claimed_by: { id: 1 } }],
    });
    await put(0, 3);
    expect((await grader.post(`${item}/next`, {})).status).toBe(204);
    const { data, meta } = (await grader.get(`${item}/submissions?question_id=${question}`)).body;
    expect([data[0].answer.points, meta.graded]).toEqual([3, 1]);
    expect((await grader.get(`${item}/progress`)).body.data).toMatchObject([
      { graded: 1, total: 1, mean: 3 },
    ]);
    const statistics = (await grader.get(`${item}/statistics`)).body.data;
    expect(statistics).toMatchObject({ graded: 1, mean: 8, questions: [{ mean: 3, median: 3 }] });
    const { body } = await grader.get(`${path}/history?question_id=${question}`);
    expect(body.data).toMatchObject([{ points: 3, max_points: 4, reason: 'graded' }]);
  });

  test('a rating through endpoint 4 resets the answers', async () => {
    const { grader, path, put } = await newScene([4, 4]);
    await put(0, 3);
    const id = path.split('/').at(-1);
    const rated = await grader.post(`/api/v3/admin/homeworks/grade/${id}`, {
      rating: 7,
      instructor_comment: 'Good',
    });
    expect(rated.status, JSON.stringify(rated.body)).toBe(200);
    expect((await grader.get(path)).body.data).toMatchObject({ grade: 7, graded_questions: 0 });
  });
});

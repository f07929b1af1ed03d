import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { etagOf, type Grader, newGrader, submissionPath } from './graders.ts';
import { answerPath, gradeAnswer, newQuestionQueue, type QuestionQueue, ungradeAnswer } from './questions.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

/** Grades the answers of each submission; null leaves one ungraded. */
async function gradeAll(grader: Grader, queue: QuestionQueue, points: (number | null)[][]) {
  for (const [index, given] of points.entries())
    for (const [place, each] of given.entries())
      if (each !== null)
        await gradeAnswer(grader, queue.submissionIds[index], queue.questionIds[place], { points: each });
}
const statistics = async (grader: Grader, { path }: QuestionQueue) =>
  (await grader.get(`${path}/statistics`)).body.data;
const counts = (histogram: { count: number }[]) => histogram.map(({ count }) => count);

describe('progress', () => {
  test('progress counts the graded answers to each question, by grader, and includes their mean points', async () => {
    const queue = await newQuestionQueue(quiz, 3, [3, 4]);
    const [grader, other] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
    const [first, second] = queue.questionIds;
    await gradeAll(grader, queue, [[0.1], [0.2]]);
    await gradeAnswer(other, queue.submissionIds[2], first, { points: 0.3 });
    const { body } = await grader.get(`${queue.path}/progress`);
    expect(body).toEqual({
      data: [
        {
          question_id: first,
          label: '1',
          graded: 3,
          total: 3,
          mean: 0.2,
          graders: [
            { id: grader.id, name: grader.name, graded: 2 },
            { id: other.id, name: other.name, graded: 1 },
          ],
        },
        { question_id: second, label: '2', graded: 0, total: 3, mean: null, graders: [] },
      ],
    });
    await ungradeAnswer(grader, queue.submissionIds[0], first);
    const [after] = (await grader.get(`${queue.path}/progress`)).body.data;
    expect(after).toMatchObject({ graded: 2, mean: 0.25 });
  });

  test('progress is empty without questions', async () => {
    const queue = await newQuestionQueue(quiz, 1, []);
    const { body } = await newGrader(quiz, queue.courseId).get(`${queue.path}/progress`);
    expect(body).toEqual({ data: [] });
  });
});

describe('the statistics of questions', () => {
  test('the statistics of a question have the exact mean and median, and the histogram of all graded answers', async () => {
    const queue = await newQuestionQueue(quiz, 4, [4, 1]);
    const grader = newGrader(quiz, queue.courseId);
    await gradeAll(grader, queue, [[0.1], [0.4], [4], [2]]);
    const { questions, graded } = await statistics(grader, queue);
    expect(graded).toBe(0);
    expect(questions[0]).toMatchObject({
      label: '1',
      max_points: 4,
      mean: 1.625,
      median: 1.2,
      correlation: null,
    });
    expect(counts(questions[0].histogram)).toEqual([1, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
    expect(questions[1]).toMatchObject({ mean: null, median: null, correlation: null });
    expect(counts(questions[1].histogram)).toEqual(Array(10).fill(0));
    await ungradeAnswer(grader, queue.submissionIds[1], queue.questionIds[0]);
    expect((await statistics(grader, queue)).questions[0]).toMatchObject({ mean: 2.033333, median: 2 });
  });

  test('the Pearson correlation is over the submissions whose answers are all graded', async () => {
    const queue = await newQuestionQueue(quiz, 5, [10, 10, 10]);
    const grader = newGrader(quiz, queue.courseId);
    const points: (number | null)[][] = [
      [1, 2, 3],
      [4, 4.5, 5],
      [7, 8, 6],
      [9, 1, null],
    ];
    await gradeAll(grader, queue, points);
    const correlations = async () =>
      (await statistics(grader, queue)).questions.map(
        (each: { correlation: number | null }) => each.correlation,
      );
    const complete = points.slice(0, 3) as number[][];
    expect(await correlations()).toEqual(expectedCorrelations(complete));
    // A change to one answer changes that sum for all other questions.
    await gradeAnswer(grader, queue.submissionIds[0], queue.questionIds[0], { points: 9 });
    const changed = complete.with(0, [9, 2, 3]);
    expect(await correlations()).toEqual(expectedCorrelations(changed));
    await gradeAnswer(grader, queue.submissionIds[3], queue.questionIds[2], { points: 0 });
    const four = [...changed, [9, 1, 0]];
    expect(await correlations()).toEqual(expectedCorrelations(four));
    await quiz.database.query('DELETE FROM quiz.questions WHERE id = $1', [queue.questionIds[1]]);
    expect(await correlations()).toEqual(
      expectedCorrelations(four.map(([one = 0, , three = 0]) => [one, three])),
    );
    for (const sql of ['gradings WHERE submission_id = $1', 'submissions WHERE id = $1'])
      await quiz.database.query(`DELETE FROM quiz.${sql}`, [queue.submissionIds[3]]);
    const three = changed.map(([one = 0, , last = 0]) => [one, last]);
    expect(await correlations()).toEqual(expectedCorrelations(three));
    for (const id of queue.submissionIds.slice(0, 1)) await ungradeAnswer(grader, id, queue.questionIds[0]);
    expect(await correlations()).toEqual([null, null]);
  });

  test('the correlation is null if the points of a question do not vary, and if there is only one question', async () => {
    const queue = await newQuestionQueue(quiz, 3, [10, 10]);
    const grader = newGrader(quiz, queue.courseId);
    await gradeAll(grader, queue, [
      [1, 1],
      [1, 2],
      [1, 3],
    ]);
    const { questions } = await statistics(grader, queue);
    expect(questions.map((each: { correlation: number | null }) => each.correlation)).toEqual([null, null]);
  });

  test('simultaneous gradings lose no count', async () => {
    const queue = await newQuestionQueue(quiz, 12, [1, 1, 1]);
    const graders = Array.from({ length: 6 }, () => newGrader(quiz, queue.courseId));
    const pointsOf = (index: number, place: number) => ((index * 7 + place * 5) % 11) / 10;
    await Promise.all(
      queue.submissionIds.flatMap((id, index) =>
        queue.questionIds.map((question, place) =>
          graders[(index + place) % 6]?.put(
            answerPath(id, question),
            { points: pointsOf(index, place) },
            { 'if-match': '*' },
          ),
        ),
      ),
    );
    const [grader] = graders as [Grader];
    const all = queue.submissionIds.map((_, index) =>
      queue.questionIds.map((__, place) => pointsOf(index, place)),
    );
    const { questions, graded, mean } = await statistics(grader, queue);
    expect(graded).toBe(12);
    expect(mean).toBeCloseTo(all.flat().reduce((sum, each) => sum + each, 0) / 12, 5);
    expect(questions.map((each: { correlation: number }) => each.correlation)).toEqual(
      expectedCorrelations(all),
    );
  });

  test('undoing a grading updates the statistics of grades', async () => {
    const queue = await newQuestionQueue(quiz, 2, [1]);
    const grader = newGrader(quiz, queue.courseId);
    await gradeAll(grader, queue, [[1], [0.5]]);
    expect(await statistics(grader, queue)).toMatchObject({ graded: 2, mean: 0.75, median: 0.75 });
    const seen = await grader.get(submissionPath(queue.submissionIds[0]));
    await grader.delete(`${submissionPath(queue.submissionIds[0])}/grade`, { 'if-match': etagOf(seen) });
    expect(await statistics(grader, queue)).toMatchObject({
      ...{ graded: 1, mean: 0.5, maximum: 0.5 },
      graders: [{ id: grader.id, name: grader.name, graded: 1 }],
    });
  });
});

/** The textbook formula for the correlation of each question's points with the sum of the others. */
function expectedCorrelations(points: number[][]) {
  const mean = (values: number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  return (points[0] ?? []).map((_, place) => {
    const own = points.map((each) => each[place] ?? 0);
    const others = points.map((each) => each.reduce((sum, one) => sum + one, 0) - (each[place] ?? 0));
    const [x, y] = [own.map((each) => each - mean(own)), others.map((each) => each - mean(others))];
    const product = (a: number[], b: number[]) =>
      a.reduce((sum, each, index) => sum + each * (b[index] ?? 0), 0);
    return expect.closeTo(product(x, y) / Math.sqrt(product(x, x) * product(y, y)), 5);
  });
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grade, makeRubric, newGrader, newQueue, submissionPath } from './graders.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

describe('the statistics of a quiz', () => {
  test('the statistics of a quiz are exact, use the population standard deviation, and count grades in tenths of their totals', async () => {
    const queue = await newQueue(quiz, 6);
    const [one, two] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
    const grades: [number, number][] = [
      [0.1, 1],
      [0.2, 1],
      [10, 10],
      [9.99, 10],
      [1, 10],
    ];
    for (const [index, [given, total]] of grades.entries())
      await grade(index < 3 ? one : two, queue.submissionIds[index], { grade: given, total_grade: total });
    const { body } = await one.get(`${queue.path}/statistics`);
    const counts = [0, 2, 1, 0, 0, 0, 0, 0, 0, 2];
    expect(body.data).toEqual({
      submissions: 6,
      graded: 5,
      mean: 4.258,
      median: 1,
      standard_deviation: expect.closeTo(4.69462, 5),
      minimum: 0.1,
      maximum: 10,
      histogram: counts.map((count, part) => ({ from: part * 10, to: part * 10 + 10, count })),
      rubric: [],
      graders: [
        { id: one.id, name: one.name, graded: 3 },
        { id: two.id, name: two.name, graded: 2 },
      ],
      questions: [],
    });
  });

  test('the median of a quiz is the mean of the two middle grades, and the uses of the rubric are counted', async () => {
    const queue = await newQueue(quiz, 2);
    const grader = newGrader(quiz, queue.courseId);
    const { revision, items } = await makeRubric(grader, queue, {
      mode: 'add',
      max_points: 1,
      items: [
        { points: 0.1, text: 'One' },
        { points: 0.2, text: 'Two' },
      ],
    });
    for (const [index, item] of items.entries())
      await grade(grader, queue.submissionIds[index], { selection: [item.id], rubric_revision: revision });
    const { data } = (await grader.get(`${queue.path}/statistics`)).body;
    expect(data).toMatchObject({ mean: 0.15, median: 0.15, standard_deviation: 0.05 });
    expect(data.rubric).toEqual(items.map(({ id, text }) => ({ item_id: id, text, uses: 1 })));
  });

  test('the statistics of a quiz are null without grades', async () => {
    const queue = await newQueue(quiz, 1);
    const { data } = (await newGrader(quiz, queue.courseId).get(`${queue.path}/statistics`)).body;
    const none = { mean: null, median: null, standard_deviation: null, minimum: null, maximum: null };
    expect(data).toMatchObject({ submissions: 1, graded: 0, ...none, rubric: [], graders: [] });
    expect(data.histogram).toHaveLength(10);
  });
});

describe('the history of a submission', () => {
  test('the history of a submission is paginated, newest first', async () => {
    const queue = await newQueue(quiz, 1);
    const grader = newGrader(quiz, queue.courseId);
    for (const given of [1, 2, 3]) await grade(grader, queue.submissionIds[0], { grade: given });
    const path = `${submissionPath(queue.submissionIds[0])}/history`;
    const { body } = await grader.get(`${path}?per_page=2&page=2`);
    expect(body).toMatchObject({ data: [{ grade: 1 }], meta: { total: 3, from: 3, to: 3, per_page: 2 } });
    expect((await grader.get(`${path}?page=0`)).status).toBe(422);
    expect((await grader.get(`${submissionPath(999_999)}/history`)).status).toBe(404);
  });
});

describe("the student's view", () => {
  async function newScene() {
    const scene = await quiz.setUp({ total_grade_for_quiz_pdf: '10' });
    await quiz.upload(scene);
    const own = (await quiz.get('/api/v3/quiz/submissions', scene.student)).body.data[0];
    const view = async (token = scene.student) => quiz.get(`/api/v3/quiz/submissions/${own.id}`, token);
    const queue = { ...scene, submissionIds: [own.id], path: `/api/v3/grading/quizzes/${scene.quizId}` };
    return { own, view, queue, grader: newGrader(quiz, scene.courseId) };
  }
  const stable = ({ pdf_answer_url: _, ...fields }: Record<string, unknown>) => fields;
  const nothing = { comment: null, graded_at: null, rubric: null, answers: null, annotated_url: null };
  const file = { id: expect.any(Number), name: 'answers.pdf', pages: 1 };
  const work = { files: [file], pages: [], reviews: null };

  test('until the submission is graded, a student sees only the object from the list', async () => {
    const { own, view } = await newScene();
    const { status, body } = await view();
    expect([status, stable(body.data)]).toEqual([200, { ...stable(own), ...nothing, ...work }]);
  });

  test("a student sees comment, grade, rubric and annotated PDF of a graded submission, but not the grader's name", async () => {
    const { own, view, queue, grader } = await newScene();
    const { revision, items } = await makeRubric(grader, queue, {
      mode: 'subtract',
      max_points: 10,
      items: [
        { points: 0.5, text: 'No units' },
        { points: 2, text: 'No proof' },
      ],
    });
    const selection = items.slice(0, 1).map(({ id }) => id);
    const graded = await grade(grader, own.id, { selection, rubric_revision: revision, comment: 'Nearly' });
    const { body } = await view();
    expect(body.data).toMatchObject({
      id: own.id,
      grade: 9.5,
      total_grade: 10,
      is_marked: 1,
      comment: 'Nearly',
      graded_at: graded.body.data.graded_at,
      rubric: [{ text: 'No units', points: -0.5 }],
      answers: [],
      annotated_url: expect.stringContaining('signature='),
    });
    expect(JSON.stringify(body)).not.toContain(grader.name);
  });

  test('a student sees no rubric for a grade without one', async () => {
    const { own, view, queue, grader } = await newScene();
    await makeRubric(grader, queue, { mode: 'add', max_points: 10, items: [{ points: 1, text: 'One' }] });
    await grade(grader, own.id, { grade: 3 });
    expect((await view()).body.data).toMatchObject({ grade: 3, rubric: null, comment: null });
  });

  test('the submission of a student is 404 for another student, 403 for another role and 404 for an unknown id', async () => {
    const { view } = await newScene();
    const other = await quiz.setUp();
    expect((await view(other.student)).status).toBe(404);
    expect((await view(quiz.admin)).status).toBe(403);
    for (const id of ['999999', 'x', '99999999999'])
      expect((await quiz.get(`/api/v3/quiz/submissions/${id}`, other.student)).status).toBe(404);
  });
});

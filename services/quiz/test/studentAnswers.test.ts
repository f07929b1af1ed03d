import { afterAll, beforeAll, expect, test } from 'vitest';
import { setSettings } from './items.ts';
import { addQuestions, gradeAll, gradeAnswer, newQuestionScene, twoQuestions } from './questionScene.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

test('a student sees the points, selected items and comment of each question once the last question is graded', async () => {
  const scene = await newQuestionScene(quiz);
  const { own, ownPath, grader, itemIds, questionIds } = scene;
  const view = async () => (await own.get(ownPath)).body.data;
  const [selected] = itemIds[1] ?? [];
  const grading = { selection: [selected], rubric_revision: 1, comment: 'Nearly' };
  await gradeAnswer(scene, grader, 1, grading);
  expect(await view()).toMatchObject({ grade: null, rubric: null, answers: null, annotated_url: null });

  await gradeAnswer(scene, grader, 0, { points: 0 });
  const data = await view();
  expect(data).toMatchObject({ grade: 5.5, total_grade: 10, rubric: null });
  const nothing = { rubric: [], adjustment: 0, comment: null, pages: [] };
  expect(data.answers).toEqual([
    { ...nothing, question_id: questionIds[0], label: '1', title: null, points: 0, max_points: 4 },
    {
      ...{ ...nothing, question_id: questionIds[1], label: '2b', title: null, points: 5.5, max_points: 6 },
      ...{ rubric: [{ text: 'No units', points: -0.5 }], comment: 'Nearly' },
    },
  ]);
  expect(JSON.stringify(data)).not.toContain(grader.name);
});

test('a student sees no gradings of answers on any path while grades are withheld', async () => {
  const scene = await newQuestionScene(quiz);
  const { own, id, grader, path } = scene;
  await grader.delete(`${path}/release`);
  const stable = (value: unknown) => JSON.stringify(value).replaceAll(/expires=[^"]*/g, '');
  const views = async () => {
    const paths = ['available', 'submissions', `submissions/${id}`, `submissions/${id}/reviews`];
    return Promise.all(paths.map(async (path) => stable((await own.get(`/api/v3/quiz/${path}`)).body)));
  };
  const before = await views();
  await gradeAll(scene, [3, 2.5]);
  await grader.post(`/api/v3/grading/quizzes/submissions/${id}/reviews`, { text: 'Please look again.' });
  expect(await views()).toEqual(before);
  await grader.post(`${path}/release`);
  const { data } = (await own.get(scene.ownPath)).body;
  expect(data.answers.map(({ points }: { points: number }) => points)).toEqual([3, 2.5]);
});

test('the answers of a submission that was graded as a whole have no points', async () => {
  const scene = await newQuestionScene(quiz);
  const graded = await quiz.post(`/api/v3/quiz/pdf-quizzes/grade/${scene.id}`, quiz.admin, {
    ...{ grade: 7, total_grade: 10 },
  });
  expect(graded.status).toBe(200);
  const { data } = (await scene.own.get(scene.ownPath)).body;
  expect(data).toMatchObject({
    grade: 7,
    answers: [
      { points: null, rubric: [] },
      { points: null, rubric: [] },
    ],
  });
});

test('the questions of a quiz appear once it opens, and the list is empty for a quiz without questions', async () => {
  const scene = await quiz.setUp();
  const listed = async () => (await quiz.get('/api/v3/quiz/available', scene.student)).body.data[0].questions;
  expect(await listed()).toEqual([]);
  const { questionIds } = await addQuestions(quiz, scene.quizId, twoQuestions);
  expect(await listed()).toEqual([
    { id: questionIds[0], label: '1', title: null, max_points: 4 },
    { id: questionIds[1], label: '2b', title: null, max_points: 6 },
  ]);
  await setSettings(quiz, scene, "opens_at = now() + interval '1 hour'");
  expect(await listed()).toBeNull();
});

test("the student's view names files and counts their pages", async () => {
  const { own, ownPath } = await newQuestionScene(quiz);
  const { data } = (await own.get(ownPath)).body;
  expect(data.files).toEqual([{ id: expect.any(Number), name: 'answers.pdf', pages: 1 }]);
  expect(data.pages).toEqual([]);
});

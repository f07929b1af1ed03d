import { expect, test } from 'vitest';
import { deskOf } from './desk.ts';
import { grading } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { newQuestionScene } from './questionScene.ts';
import { violations } from './violations.ts';

const text = 'The second step follows from the first.';

/** A graded quiz whose student has asked for a review of the second question. */
async function newReviewScene() {
  const scene = await newQuestionScene({ lastNames: ['Abel'] });
  const { grader, itemId, questions, submissions } = scene;
  for (const question of questions) await scene.gradeAnswer(0, question, 2);
  const reviews = { until: '2100-01-01T00:00:00Z', per_submission: 3 };
  const item = `${grading}/quizzes/${itemId}`;
  expect((await grader.patch(item, { reviews })).status).toBe(200);
  const asked = await scene.students[0]?.post(`/api/v3/quiz/submissions/${submissions[0]?.id}/reviews`, {
    question_id: questions[1].id,
    text,
  });
  expect(asked?.status).toBe(201);
  const list = async () => (await grader.get(`${item}/reviews`)).body.data;
  return { scene, list };
}

test('a review is found in the table, answered on the desk, and disappears from both', async () => {
  const { scene, list } = await newReviewScene();
  const window = await openAs(scene.grader, `${scene.path}/reviews`);
  const { page } = window;
  const desk = deskOf(window);
  const table = page.getByRole('table', { name: 'Reviews' });
  const row = table.getByRole('row', { name: text });
  await row.waitFor();
  expect(await row.getByRole('cell').allTextContents()).toEqual([
    expect.stringContaining('2b'),
    expect.stringContaining(text),
    expect.stringContaining('Open'),
    expect.stringMatching(/now|ago/),
  ]);
  expect(await violations(page)).toEqual([]);
  await row.getByRole('link').click();
  const review = page.getByRole('form', { name: 'Review' });
  await review.getByText(text).waitFor();
  expect(await violations(page)).toEqual([]);

  await desk.grade.fill('3');
  await desk.save.click();
  await expect.poll(() => scene.answerOf(0, scene.questions[1])).toMatchObject({ points: 3 });
  await review.getByRole('button', { name: 'Answer and close' }).click();
  await review.getByText('Enter an answer.').waitFor();
  await review.getByRole('textbox', { name: 'Answer' }).fill('You are right.');
  await review.getByRole('button', { name: 'Answer and close' }).click();
  await review.waitFor({ state: 'detached' });
  expect(await list()).toMatchObject([
    { state: 'closed', answer: 'You are right.', grade_before: 2, grade_after: 3 },
  ]);

  await page.goto(`${scene.path}/reviews`);
  await page.getByRole('heading', { name: 'No open reviews' }).waitFor();
  await page.getByRole('button', { name: 'Closed' }).click();
  await table.getByText('You are right.').waitFor();
});

test('an answer to a review that was not sent survives a reload', async () => {
  const { scene } = await newReviewScene();
  const { page } = await openAs(scene.grader, scene.questionDeskPath(0, scene.questions[1]));
  const answer = page.getByRole('form', { name: 'Review' }).getByRole('textbox', { name: 'Answer' });
  await answer.fill('You are');
  await page.reload();
  await expect.poll(() => answer.inputValue()).toBe('You are');
});

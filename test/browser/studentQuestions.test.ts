import { waitFor } from '@gradeway/test/waitFor';
import { expect, test } from 'vitest';
import { beyondWindow } from './beyondWindow.ts';
import { grading } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { allowReviews, gradeAll, newQuestionScene, submit } from './studentQuestionScene.ts';
import { violations } from './violations.ts';

test('a student sees points, the selected items, comment and pages of each question, also in Arabic', async () => {
  const scene = await newQuestionScene(['1', '2b']);
  const id = await submit(scene);
  const pages = [{ question_id: scene.questionIds['1'], page: 2 }];
  expect((await scene.student.put(`/api/v3/quiz/submissions/${id}/pages`, { pages })).status).toBe(200);
  await gradeAll(scene, id, 1.5);
  const { page } = await openAs(scene.student, `/my/submissions/quizzes/${id}`);
  const [first, second] = ['1', '2b'].map((label) =>
    page.getByRole('article', { name: `Question ${label}`, exact: true }),
  );
  await first?.getByText('3 of 4').waitFor();
  expect(await first?.getByRole('listitem').allTextContents()).toEqual(['No base case−1']);
  await first?.getByText('Show the base case.').waitFor();
  await second?.getByText('1.5 of 4').waitFor();
  await first?.getByRole('button', { name: 'Page 2' }).click();
  await page.getByRole('img', { name: 'Page 2' }).locator('canvas').waitFor();
  expect(await violations(page)).toEqual([]);
  const arabic = await openAs(scene.student, `/my/submissions/quizzes/${id}`, {
    language: 'ar',
    width: 360,
  });
  await arabic.page.getByRole('region', { name: arabic.t('Questions') }).waitFor();
  expect(await violations(arabic.page)).toEqual([]);
  expect(await beyondWindow(arabic.page)).toEqual([]);
});

test('a student asks for a review, reads the answer, and is offered no more reviews than allowed', async () => {
  const scene = await newQuestionScene(['1', '2']);
  const id = await submit(scene);
  await allowReviews(scene, 1);
  await gradeAll(scene, id);
  const { page } = await openAs(scene.student, `/my/submissions/quizzes/${id}`);
  const question = page.getByRole('article', { name: 'Question 2' });
  await question.getByRole('button', { name: 'Ask for a review' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ask for a review of question 2' });
  const send = dialog.getByRole('button', { name: 'Ask for a review' });
  await dialog.getByLabel('Your reasons').fill('Too short');
  await dialog.getByText('9 of 2,000 characters, at least 10').waitFor();
  expect(await send.isDisabled()).toBe(true);
  await dialog.getByLabel('Your reasons').fill('The second step follows from the first.');
  expect(await violations(page)).toEqual([]);
  await send.click();
  await question.getByText('Not answered yet').waitFor();
  const offers = page.getByRole('button', { name: 'Ask for a review' });
  await expect.poll(() => offers.count()).toBe(0);
  const [review] = (await scene.admin.get(`${scene.item}/reviews`)).body.data;
  const body = { state: 'closed', answer: 'The points are right.' };
  const path = `${grading}/quizzes/reviews/${review.id}`;
  expect((await scene.admin.put(path, body, { 'if-match': review.tag })).status).toBe(200);
  await page.reload();
  await question.getByText('The points are right.').waitFor();
  await question.getByText('3 of 4').waitFor();
  expect(await offers.count()).toBe(0);
});

test('a refused request for a review is explained, and an item without reviews does not offer them', async () => {
  const scene = await newQuestionScene(['1']);
  const id = await submit(scene);
  await allowReviews(scene);
  await gradeAll(scene, id);
  const { page, watch } = await openAs(scene.student, `/my/submissions/quizzes/${id}`);
  await page.getByRole('button', { name: 'Ask for a review' }).click();
  await scene.admin.patch(scene.item, { reviews: null });
  watch.expectFailure(403, /^\/api\/v3\/quiz\/submissions\/\d+\/reviews$/);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your reasons').fill('The second step follows from the first.');
  await dialog.getByRole('button', { name: 'Ask for a review' }).click();
  await dialog.getByRole('alert').getByText('The time to ask for reviews has ended.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await waitFor(async () => (await page.getByRole('button', { name: 'Ask for a review' }).count()) === 0);
  await page.reload();
  await page.getByRole('region', { name: 'Questions' }).waitFor();
  expect(await page.getByRole('button', { name: 'Ask for a review' }).count()).toBe(0);
});

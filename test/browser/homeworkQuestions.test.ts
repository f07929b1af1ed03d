import type { Student } from '@gradeway/test/fixtures';
import { plainPdf } from '@gradeway/test/plainPdf';
import { waitFor } from '@gradeway/test/waitFor';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { beyondWindow } from './beyondWindow.ts';
import { deskOf } from './desk.ts';
import { createFixtures, type GradingScene, grading } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { newOutlineScene } from './outlineScene.ts';
import { newQuestionScene } from './questionScene.ts';
import { violations } from './violations.ts';

const sheet = (name: string, pages: number) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(plainPdf(Array.from({ length: pages }, () => ({})))),
});

const questions = [
  { label: '1', title: 'Groups', max_points: 6 },
  { label: '2b', title: 'Induction', max_points: 4 },
];

const stepOn = (page: Page) => page.getByRole('region', { name: 'Where are your answers?' });
const studentOf = ({ students: [student] }: GradingScene) => student as Student;

/** An assignment with questions, and a student of its course who has not handed in. */
async function newHomework() {
  const scene = await newOutlineScene({ kind: 'homeworks', lastNames: [], questions });
  const fixtures = createFixtures();
  const student = await fixtures.newStudent({ first_name: 'Ada', last_name: 'Abel' });
  await fixtures.enroll(scene.courseId, student);
  return { scene, student };
}

test('after homework with two files, a student says on which page of which file each answer is', async () => {
  const { scene, student } = await newHomework();
  const { page } = await openAs(student, '/my', { width: 360, height: 740 });
  const card = page.getByRole('article', { name: scene.title });
  await card.locator('input[type="file"]').setInputFiles([sheet('first.pdf', 1), sheet('second.pdf', 2)]);
  await page.getByRole('dialog').getByRole('button', { name: 'Hand in', exact: true }).click();
  const second = stepOn(page).getByRole('list', { name: 'second.pdf' });
  await second.getByRole('button', { name: 'Page 2' }).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await beyondWindow(page)).toEqual([]);

  await second.getByRole('button', { name: 'Page 2' }).click();
  await stepOn(page).getByText('Press the page with question 2b.').waitFor();
  await stepOn(page).getByRole('list', { name: 'first.pdf' }).getByRole('button', { name: 'Page 1' }).click();
  await second.getByRole('button', { name: 'Page 2, questions: 1' }).waitFor();
  await stepOn(page).getByRole('button', { name: 'Save' }).click();
  await card.getByText('2 of 2 questions have a page').waitFor();

  const [row] = (await scene.grader.get(`${grading}/homeworks/${scene.itemId}/submissions`)).body.data;
  const { answers, files } = await scene.detail(row.id);
  const [first, other] = (files as { id: number; name: string }[]).toSorted((one, two) =>
    one.name.localeCompare(two.name),
  );
  expect(answers).toMatchObject([
    { label: '1', pages: [{ file_id: other?.id, page: 2 }] },
    { label: '2b', pages: [{ file_id: first?.id, page: 1 }] },
  ]);
});

test('the pages of homework can be assigned later, from the submission, until it is graded', async () => {
  const scene = await newOutlineScene({ kind: 'homeworks', lastNames: ['Abel'], questions });
  const id = scene.submissions[0]?.id;
  const { page } = await openAs(studentOf(scene), `/my/submissions/homeworks/${id}`);
  await page.getByRole('button', { name: 'Where are your answers?' }).click();
  await stepOn(page).getByLabel('Page of question 2b').selectOption('Page 1');
  await stepOn(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('1 of 2 questions have a page').waitFor();
  for (const position of [0, 1]) await scene.gradeAnswer(id, position, 3);
  await page.reload();
  await page.getByRole('article', { name: 'Question 2b' }).getByText('3 of 4').waitFor();
  await page.getByRole('button', { name: 'Page 1' }).waitFor();
  expect(await page.getByRole('button', { name: /answers\?|Change the pages/ }).count()).toBe(0);
});

test('a student asks for a review of homework, and a grader finds the review, changes the points and answers', async () => {
  const scene = await newQuestionScene({ kind: 'homeworks', lastNames: ['Abel'] });
  for (const question of scene.questions) await scene.gradeAnswer(0, question, 2);
  const reviews = { until: '2100-01-01T00:00:00Z', per_submission: 2 };
  const item = `${grading}/homeworks/${scene.itemId}`;
  expect((await scene.grader.patch(item, { reviews })).status).toBe(200);
  const text = 'The second step follows from the first.';

  const own = await openAs(studentOf(scene), `/my/submissions/homeworks/${scene.submissions[0]?.id}`);
  const question = own.page.getByRole('article', { name: 'Question 2b' });
  await question.getByRole('button', { name: 'Ask for a review' }).click();
  const dialog = own.page.getByRole('dialog', { name: 'Ask for a review of question 2b' });
  await dialog.getByLabel('Your reasons').fill(text);
  await dialog.getByRole('button', { name: 'Ask for a review' }).click();
  await question.getByText('Not answered yet').waitFor();
  expect(await violations(own.page)).toEqual([]);

  const window = await openAs(scene.grader, scene.path);
  const { page } = window;
  await page.getByRole('tab', { name: 'Reviews' }).click();
  const row = page.getByRole('table', { name: 'Reviews' }).getByRole('row', { name: text });
  await row.getByRole('link').click();
  const review = page.getByRole('form', { name: 'Review' });
  await review.getByText(text).waitFor();
  await deskOf(window).grade.fill('3.5');
  await deskOf(window).save.click();
  await expect.poll(() => scene.answerOf(0, scene.questions[1])).toMatchObject({ points: 3.5 });
  await review.getByRole('textbox', { name: 'Answer' }).fill('You are right.');
  await review.getByRole('button', { name: 'Answer and close' }).click();
  await review.waitFor({ state: 'detached' });

  await own.page.reload();
  await question.getByText('3.5 of 4').waitFor();
  await question.getByText('You are right.').waitFor();
  await question.getByText('2 points became 3.5.').waitFor();
  await waitFor(async () => {
    const { data } = (await scene.grader.get(`${item}/reviews?state=closed`)).body;
    return data.length === 1 && data[0].grade_after === 3.5;
  });
});

test('a question that was left without points in released work can be disputed', async () => {
  const scene = await newQuestionScene({ kind: 'homeworks', lastNames: ['Abel'] });
  const item = `${grading}/homeworks/${scene.itemId}`;
  const reviews = { until: '2100-01-01T00:00:00Z', per_submission: 2 };
  expect((await scene.grader.patch(item, { reviews, release: 'manual' })).status).toBe(200);
  await scene.gradeAnswer(0, scene.questions[0], 2);
  expect((await scene.grader.post(`${item}/release`)).status).toBe(200);
  const { page } = await openAs(studentOf(scene), `/my/submissions/homeworks/${scene.submissions[0]?.id}`);
  await page.getByRole('heading', { name: 'Not graded yet' }).waitFor();
  await page.getByRole('button', { name: 'Ask for a review' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ask for a review' });
  await dialog.getByLabel('Your reasons').fill('Question 2b was not graded.');
  await dialog.getByRole('button', { name: 'Ask for a review' }).click();
  await page.getByText('Not answered yet').waitFor();
  const { data } = (await scene.grader.get(`${item}/reviews`)).body;
  expect(data).toMatchObject([{ text: 'Question 2b was not graded.', grade_before: null }]);
});

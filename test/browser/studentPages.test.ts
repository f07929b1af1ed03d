import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { beyondWindow } from './beyondWindow.ts';
import { openAs } from './openWindow.ts';
import { gradeAll, newQuestionScene, sheetOf, storedPages, submit } from './studentQuestionScene.ts';
import { handIn } from './studentScene.ts';
import { violations } from './violations.ts';

const stepOn = (page: Page) => page.getByRole('region', { name: 'Where are your answers?' });
const pageOf = (page: Page, number: number) =>
  stepOn(page).getByRole('button', { name: new RegExp(`^Page ${number}\\b`) });

test('after an upload on a phone, five questions take six taps', async () => {
  const scene = await newQuestionScene();
  const { page } = await openAs(scene.student, '/my', { width: 360, height: 740 });
  await handIn(page.getByRole('article', { name: scene.quiz.title }), sheetOf(3));
  await pageOf(page, 3).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await beyondWindow(page)).toEqual([]);
  await page.evaluate(() => {
    document.documentElement.dataset.taps = '0';
    const count = () => {
      document.documentElement.dataset.taps = String(Number(document.documentElement.dataset.taps) + 1);
    };
    addEventListener('pointerdown', count, true);
  });
  for (const [label, number] of [
    ['1', 1],
    ['2a', 1],
    ['2b', 2],
    ['3', 3],
    ['4', 3],
  ] as const) {
    await stepOn(page).getByText(`Press the page with question ${label}.`).waitFor();
    await pageOf(page, number).click();
  }
  await stepOn(page).getByText('Every question has a page.').waitFor();
  await stepOn(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('5 of 5 questions have a page').waitFor();
  expect(await page.locator('html').getAttribute('data-taps')).toBe('6');
  expect(await storedPages(scene)).toEqual({ '1': [1], '2a': [1], '2b': [2], '3': [3], '4': [3] });
});

test('a question is moved with its select, the mouse and the keyboard', async () => {
  const scene = await newQuestionScene(['1', '2', '3']);
  const { page } = await openAs(scene.student, '/my');
  await handIn(page.getByRole('article', { name: scene.quiz.title }), sheetOf(3));
  await pageOf(page, 3).waitFor();
  await stepOn(page).getByLabel('Page of question 1').selectOption('Page 2');
  await stepOn(page).getByRole('listitem').filter({ hasText: 'Part 2' }).dragTo(pageOf(page, 3));
  await pageOf(page, 3)
    .and(page.getByRole('button', { name: 'Page 3, questions: 2' }))
    .waitFor();
  await stepOn(page).getByRole('button', { name: 'Drag question 3' }).press('Enter');
  // The nearest page comes first.
  const isOnFirst = () => pageOf(page, 1).evaluate((each) => each === document.activeElement);
  for (let press = 0; press < 4 && !(await isOnFirst()); press += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Page 1, questions: 3' }).waitFor();
  await stepOn(page).getByRole('button', { name: 'Save' }).press('Enter');
  await page.getByText('3 of 3 questions have a page').waitFor();
  expect(await storedPages(scene)).toEqual({ '1': [2], '2': [3], '3': [1] });
});

test('a question that is put off stays so after a reload, is answered later, and is asked again after a new upload', async () => {
  const scene = await newQuestionScene(['1', '2']);
  const { page } = await openAs(scene.student, '/my');
  const card = page.getByRole('article', { name: scene.quiz.title });
  await handIn(card, sheetOf(2));
  await stepOn(page).getByRole('button', { name: 'Later' }).click();
  await card.getByText('0 of 2 questions have a page').waitFor();
  await page.reload();
  await card.getByRole('button', { name: 'Where are your answers?' }).waitFor();
  await card.getByRole('link', { name: /^My submission/ }).click();
  await page.getByRole('button', { name: 'Where are your answers?' }).click();
  await pageOf(page, 2).click();
  await stepOn(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('1 of 2 questions have a page').waitFor();
  expect(await storedPages(scene)).toEqual({ '1': [2], '2': [] });
  await page.goto('/my');
  await card.getByText('Hand in again').click();
  await handIn(card, sheetOf(3));
  await pageOf(page, 3).waitFor();
  expect(await storedPages(scene)).toEqual({ '1': [], '2': [] });
});

test('a refusal is explained, and a graded submission is not asked about', async () => {
  const scene = await newQuestionScene(['1', '2']);
  const id = await submit(scene);
  const path = /^\/api\/v3\/quiz\/submissions\/\d+\/pages$/;
  const { page, watch } = await openAs(scene.student, `/my/submissions/quizzes/${id}`);
  await page.getByRole('button', { name: 'Where are your answers?' }).click();
  await pageOf(page, 1).click();
  watch.expectFailure(403, path);
  await page.route('**/pages', (route) =>
    route.fulfill({ status: 403, json: { message: 'QuizDurationExpired', errors: null } }),
  );
  await stepOn(page).getByRole('button', { name: 'Save' }).click();
  await page
    .getByRole('alert')
    .getByText('The time in which you can say where your answers are has ended.')
    .waitFor();
  await gradeAll(scene, id);
  await page.reload();
  await page.getByRole('region', { name: 'Questions' }).waitFor();
  expect(await page.getByRole('button', { name: 'Where are your answers?' }).count()).toBe(0);
});

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { beyondWindow } from './beyondWindow.ts';
import { colorAt, deskOf } from './desk.ts';
import { grading } from './gradingScene.ts';
import { openAs, type Window } from './openWindow.ts';
import { newQuestionScene, pageColor, type QuestionScene } from './questionScene.ts';
import { violations } from './violations.ts';

const questionsOf = ({ page, t }: Window) => page.getByRole('list', { name: t('Questions') });
const current = (window: Window) => questionsOf(window).locator('[aria-current]').textContent();
const focusPages = (window: Window) =>
  deskOf(window)
    .sheet.getByRole('group', { name: window.t('Pages') })
    .focus();

/** Waits for a student, with a page of the sheet on the screen. */
async function waitForPage(window: Window, scene: QuestionScene, position: number, number: number) {
  const name = scene.submissions[position]?.studentName;
  await expect.poll(() => deskOf(window).student.textContent()).toBe(name);
  await expect.poll(() => colorAt(window.page, number, 0.5, 0.5)).toEqual(pageColor(position, number));
  await expect.poll(() => topPage(window.page)).toBe(String(number));
}

/** The number of the page at the top of the sheet. */
const topPage = (page: Page) =>
  page.evaluate(() => {
    const scroller = [...document.querySelectorAll('.sheet-scroller')].find((each) => each.checkVisibility());
    const { top = 0 } = scroller?.getBoundingClientRect() ?? {};
    const pages = [...(scroller?.querySelectorAll<HTMLElement>('.sheet-page') ?? [])];
    return pages.find((each) => each.getBoundingClientRect().bottom > top + 40)?.dataset.page;
  });

test('one question is graded student by student, on the page where the answer is', async () => {
  const scene = await newQuestionScene();
  const [first, second] = scene.questions;
  // This student answered in a different order from the question sheet.
  const pages = { pages: [{ question_id: second.id, page: 1 }] };
  const placed = await scene.grader.put(
    `${grading}/quizzes/submissions/${scene.submissions[1]?.id}/pages`,
    pages,
  );
  expect(placed.status).toBe(200);
  const window = await openAs(scene.grader, scene.questionDeskPath(0, second));
  const { page } = window;
  const desk = deskOf(window);
  await waitForPage(window, scene, 0, 2);
  await desk.grade.fill('2.5');
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await waitForPage(window, scene, 1, 1);
  expect(await current(window)).toContain('2b');
  await expect.poll(() => scene.answerOf(0, second)).toMatchObject({ points: 2.5, state: 'graded' });
  expect(await scene.answerOf(0, first)).toMatchObject({ points: null });
  await page.getByText('1 of 2').waitFor();
  expect(await violations(page)).toEqual([]);
});

test('q and Q lead to the other questions of the student, whose total is beside the name', async () => {
  const scene = await newQuestionScene({ lastNames: ['Abel'] });
  const [first, second] = scene.questions;
  await scene.gradeAnswer(0, second, 3.25);
  const window = await openAs(scene.grader, scene.questionDeskPath(0, first));
  const { page } = window;
  const desk = deskOf(window);
  await waitForPage(window, scene, 0, 1);
  const total = page.locator('.live-total');
  await expect.poll(() => total.textContent()).toContain('3.25 / 10');
  await focusPages(window);
  await page.keyboard.press('1');
  await expect.poll(() => total.textContent()).toContain('7.25 / 10');
  await expect
    .poll(() => questionsOf(window).getByRole('listitem').allTextContents())
    .toEqual(['1 4 / 6', '2b 3.25 / 4']);
  await page.keyboard.press('q');
  await waitForPage(window, scene, 0, 2);
  expect(await current(window)).toContain('2b');
  expect(await desk.grade.inputValue()).toBe('3.25');
  await page.keyboard.press('Shift+Q');
  await waitForPage(window, scene, 0, 1);
  // The unsaved choice is kept.
  expect(await desk.item('The base case is missing.').isChecked()).toBe(true);
});

test('full marks are saved only after "No deductions" has been chosen', async () => {
  const scene = await newQuestionScene({ lastNames: ['Abel'] });
  const [first] = scene.questions;
  const window = await openAs(scene.grader, scene.questionDeskPath(0, first));
  const { page } = window;
  const desk = deskOf(window);
  await waitForPage(window, scene, 0, 1);
  await desk.save.click();
  await desk.form.getByRole('alert').waitFor();
  expect(await scene.answerOf(0, first)).toMatchObject({ state: 'ungraded' });
  await focusPages(window);
  await page.keyboard.press('0');
  expect(await desk.item('No deductions').isChecked()).toBe(true);
  await desk.save.click();
  await expect.poll(() => scene.answerOf(0, first)).toMatchObject({ points: 6, selection: [] });
});

test('a submission is opened at its first question without points', async () => {
  const scene = await newQuestionScene({ lastNames: ['Abel'] });
  await scene.gradeAnswer(0, scene.questions[0], 5);
  const window = await openAs(scene.grader, scene.deskPath(0));
  await waitForPage(window, scene, 0, 2);
  expect(await current(window)).toContain('2b');
  await expect.poll(() => window.page.url()).toContain(`?question=${scene.questions[1].id}`);
});

test('two graders of two questions of one sheet do not conflict, and the marks of both graders stay', async () => {
  const scene = await newQuestionScene({ lastNames: ['Abel'], graders: 2 });
  const [one, two] = await Promise.all(
    scene.questions.map((question, index) =>
      openAs(scene.graders[index] as (typeof scene.graders)[0], scene.questionDeskPath(0, question)),
    ),
  );
  if (!one || !two) throw new Error('two windows are open');
  two.watch.allowFailure(412, /\/submissions\/\d+$/);
  await waitForPage(one, scene, 0, 1);
  await waitForPage(two, scene, 0, 2);
  for (const [window, key, number] of [
    [one, 'v', 1],
    [two, 'x', 2],
  ] as const) {
    await focusPages(window);
    await window.page.keyboard.press(key);
    const shown = window.page.locator(`[data-page="${number}"]`).first();
    await shown.click({ position: { x: 60, y: 60 } });
    await deskOf(window).grade.fill('4');
    await deskOf(window).save.click();
    await expect.poll(() => deskOf(window).status.textContent()).toContain('Saved');
  }
  const { annotations, grade, status } = await scene.detail(scene.submissions[0]?.id ?? 0);
  expect({ grade, status }).toEqual({ grade: 8, status: 'graded' });
  expect((annotations as { kind: string }[]).map(({ kind }) => kind).sort()).toEqual(['check', 'cross']);
  expect(await two.page.getByRole('dialog').count()).toBe(0);
});

test('a second grader of the same answer chooses between the two gradings', async () => {
  const scene = await newQuestionScene({ lastNames: ['Abel'] });
  const [, second] = scene.questions;
  const window = await openAs(scene.grader, scene.questionDeskPath(0, second));
  window.watch.expectFailure(412, /\/questions\/\d+$/);
  await waitForPage(window, scene, 0, 2);
  await scene.gradeAnswer(0, second, 1);
  const desk = deskOf(window);
  await desk.grade.fill('3');
  await desk.save.click();
  const dialog = window.page.getByRole('dialog', { name: 'Changed meanwhile' });
  await dialog.waitFor();
  expect(await scene.answerOf(0, second)).toMatchObject({ points: 1 });
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await expect.poll(() => scene.answerOf(0, second)).toMatchObject({ points: 3 });
});

test('undoing a grading makes only this answer ungraded again', async () => {
  const scene = await newQuestionScene({ lastNames: ['Abel'] });
  const [first, second] = scene.questions;
  await scene.gradeAnswer(0, second, 2);
  const window = await openAs(scene.grader, scene.questionDeskPath(0, first));
  const { page } = window;
  const desk = deskOf(window);
  await waitForPage(window, scene, 0, 1);
  await desk.item('The step is not proved.').check();
  await desk.save.click();
  await expect.poll(() => scene.detail(scene.submissions[0]?.id ?? 0)).toMatchObject({ grade: 5 });
  await expect.poll(() => desk.status.textContent()).toBe('Saved');
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await expect.poll(() => desk.status.textContent()).toBe('Undone');
  expect(await scene.answerOf(0, first)).toMatchObject({ state: 'ungraded', points: null });
  expect(await scene.answerOf(0, second)).toMatchObject({ points: 2 });
  expect(await desk.item('The step is not proved.').isChecked()).toBe(false);
});

test.for([
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const)(
  'rubric, total, questions and "Save and next" are visible without scrolling: $width × $height',
  async (size) => {
    const scene = await newQuestionScene({ lastNames: ['Abel'] });
    const window = await openAs(scene.grader, scene.questionDeskPath(0, scene.questions[0]), {
      ...size,
      language: size.width === 768 ? 'ar' : 'en',
    });
    const { page, t } = window;
    const desk = deskOf(window);
    await waitForPage(window, scene, 0, 1);
    const parts = [
      page.locator('.live-total'),
      questionsOf(window).getByRole('link').first(),
      desk.item(t('No deductions')),
      desk.item('The base case is missing.'),
      desk.form.getByRole('button', { name: t('Save and next') }),
    ];
    for (const part of parts) {
      const box = await part.boundingBox();
      expect((box?.y ?? size.height) + (box?.height ?? 0)).toBeLessThanOrEqual(size.height);
      // Nothing covers it.
      await part.click({ trial: true });
    }
    const sheet = await desk.sheet.getByRole('group', { name: t('Pages') }).boundingBox();
    expect(sheet?.height).toBeGreaterThan(150);
    expect(await beyondWindow(page)).toEqual([]);
    expect(await violations(page)).toEqual([]);
  },
);

import { unique } from '@gradeway/test/fixtures';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { cardOf, newCourseScene, pdfFile } from './courseScene.ts';
import { deskOf } from './desk.ts';
import { logIn, openAs, openWindow } from './openWindow.ts';

const item = (page: Page) => ({
  state: page.getByRole('region', { name: 'State' }),
  tab: (name: string) => page.getByRole('tab', { name, exact: true }),
  everyone: (name: string) => page.getByRole('table', { name: 'Everyone' }).getByRole('row', { name }),
});

/** Creates a quiz with questions whose grades are held back, starting from the courses page. */
async function createQuiz(page: Page, course: string, quiz: string): Promise<void> {
  await page.getByRole('link', { name: course }).click();
  await page.getByRole('button', { name: 'New quiz' }).click();
  const dialog = page.getByRole('dialog', { name: 'New quiz' });
  await dialog.getByLabel('Title').fill(quiz);
  await dialog.getByLabel('Questions as PDF').setInputFiles(pdfFile('questions.pdf'));
  await dialog.getByLabel('Out of').fill('10');
  await dialog.getByLabel('Opens', { exact: true }).fill('2026-01-02T10:00');
  await dialog.getByLabel('Closes', { exact: true }).fill('2031-07-14T16:00');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('row', { name: quiz }).getByText('Draft').waitFor();
  await page.getByRole('link', { name: quiz }).click();
  await item(page).tab('Settings').click();
  const form = page.getByRole('form', { name: 'Settings' });
  await form.getByRole('combobox', { name: 'Students see their grades' }).selectOption('manual');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved', { exact: true }).waitFor();
}

async function giveMoreTime(page: Page, name: string, until: string): Promise<void> {
  await item(page).tab('Everyone').click();
  await item(page)
    .everyone(name)
    .getByRole('checkbox', { name: `Select ${name}` })
    .check();
  await page.getByRole('button', { name: 'Give more time' }).click();
  const dialog = page.getByRole('dialog', { name: `More time for ${name}` });
  await dialog.getByLabel('New closing time').fill(until);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function handInFor(page: Page, name: string): Promise<void> {
  const row = item(page).everyone(name);
  await row.getByRole('button', { name: 'Hand in for this student' }).click();
  const dialog = page.getByRole('dialog', { name: `Hand in for ${name}` });
  await dialog.getByLabel('Answer sheet').setInputFiles(pdfFile());
  await dialog.getByRole('button', { name: 'Hand in' }).click();
  await dialog.waitFor({ state: 'detached' });
  await row.getByText('Submitted').waitFor();
}

/** Reloads a student's list of grades until it contains a text: events update it. */
const waitForGrades = (page: Page, text: string) =>
  expect
    .poll(async () => {
      await page.goto('/my/grades');
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      return page.getByRole('main').innerText();
    })
    .toContain(text);

test('a teacher takes a quiz from creation to released grades, and students see each step as soon as they may', async () => {
  const { title: course, teacher, students } = await newCourseScene(['Abel', 'Banach']);
  const [abel, banach] = await Promise.all(students.map((each) => openAs(each, '/my')));
  if (!abel || !banach) throw new Error('two students are needed');
  const quiz = { title: `Groups ${unique()}` };
  const teaching = await openWindow();
  await logIn(teaching, teacher);
  const { page } = teaching;
  expect(new URL(page.url()).pathname).toBe('/courses');

  await createQuiz(page, course, quiz.title);
  await abel.page.reload();
  await abel.page.getByRole('heading', { name: 'Nothing to do yet' }).waitFor();

  const { state, tab } = item(page);
  await state.getByText('Draft', { exact: true }).waitFor();
  await state.getByRole('button', { name: 'Publish' }).click();
  await state.getByText('Open', { exact: true }).waitFor();
  await abel.page.reload();
  const [ofAbel, ofBanach] = [cardOf(abel.page, quiz), cardOf(banach.page, quiz)];
  await ofAbel.getByRole('link', { name: 'Open the questions' }).waitFor();

  await giveMoreTime(page, 'Ada Banach', '2031-07-15T16:00');
  await Promise.all([abel.page.reload(), banach.page.reload()]);
  await ofBanach.getByText('Closes Jul 15, 2031, 4:00 PM UTC', { exact: true }).waitFor();
  await ofAbel.getByText('Closes Jul 14, 2031, 4:00 PM UTC', { exact: true }).waitFor();

  await handInFor(page, 'Ada Abel');
  await abel.page.reload();
  const handedIn = abel.page.getByRole('region', { name: 'Handed in' }).getByRole('article');
  await ofAbel.and(handedIn).getByText('Not graded yet').waitFor();

  await tab('Submissions').click();
  await page.getByRole('button', { name: 'Grade next' }).click();
  const desk = deskOf(teaching);
  await page.getByRole('heading', { level: 1, name: 'Ada Abel' }).waitFor();
  await desk.grade.fill('8');
  await desk.comment.fill('A good start.');
  await page.getByRole('button', { name: 'Save and next' }).click();
  const finish = page.getByRole('region', { name: 'All 1 graded' });
  await finish.waitFor();
  await abel.page.reload();
  await ofAbel.getByText('Not graded yet').waitFor();
  await ofAbel.getByRole('link', { name: `My submission: ${quiz.title}` }).click();
  await abel.page.getByRole('heading', { name: 'Not graded yet' }).waitFor();
  await waitForGrades(abel.page, 'No grades yet.');

  await finish.getByRole('button', { name: 'Release grades' }).click();
  const question = page.getByRole('dialog', { name: 'Release the grades?' });
  await question.getByText('1 student will see the grade').waitFor();
  await question.getByRole('button', { name: 'Release grades' }).click();
  await question.waitFor({ state: 'detached' });
  await abel.page.goto('/my');
  await ofAbel.getByText('8 of 10').waitFor();
  await ofAbel.getByRole('link', { name: `My submission: ${quiz.title}` }).click();
  await abel.page.getByText('A good start.').waitFor();
  await waitForGrades(abel.page, '8 of 10');

  await page.getByRole('link', { name: quiz.title }).click();
  await state.getByRole('button', { name: 'Hide grades' }).click();
  await state.getByText('Grades held back').waitFor();
  await abel.page.goto('/my');
  await ofAbel.getByText('Not graded yet').waitFor();
  await waitForGrades(abel.page, 'No grades yet.');
});

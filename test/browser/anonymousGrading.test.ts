import { pdf } from '@gradeway/test/httpClient';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import {
  type CourseScene,
  gradeAs,
  type NewItem,
  newCourseScene,
  newGrader,
  newHomework,
  submissionsOf,
} from './courseScene.ts';
import { openAs } from './openWindow.ts';

const code = /^Student [A-Z0-9]{4}$/;

/** Anonymous homework for which two students have handed in two files each, named after the students. */
async function newAnonymousHomework(): Promise<{ scene: CourseScene; homework: NewItem }> {
  const scene = await newCourseScene(['Abel', 'Banach']);
  const homework = await newHomework(scene, { release: 'manual', anonymous: true });
  for (const student of scene.students) {
    const names = [1, 2].map((number) => `${student.lastName} ${number}.pdf`);
    const files = await Promise.all(names.map(async (name) => new File([await pdf()], name)));
    const { status } = await scene.fixtures.submitHomework({ student, classId: homework.id }, files);
    expect(status).toBe(201);
  }
  return { scene, homework };
}

/** Collects every text that a page receives from the API for graders. */
function noteResponses(page: Page): () => Promise<string> {
  const texts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/v3/grading/')) texts.push(response.text().catch(() => ''));
  });
  return async () => (await Promise.all(texts)).join('\n');
}

test('until the release, a grader sees codes instead of names in the table, on the desk and in files', async () => {
  const { scene, homework } = await newAnonymousHomework();
  const { page, context } = await openAs(await newGrader(scene), '/grading');
  const received = noteResponses(page);
  await page.goto(homework.path);
  const links = page.getByRole('table', { name: 'Submissions' }).getByRole('link');
  await expect
    .poll(() => links.allInnerTexts())
    .toEqual([expect.stringMatching(code), expect.stringMatching(code)]);
  const [first = '', second = ''] = await links.allInnerTexts();
  expect(first).not.toBe(second);

  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.fill('Abel');
  await page.getByRole('heading', { name: 'No one found' }).waitFor();
  await search.fill(first.slice('Student '.length));
  await expect.poll(() => links.allInnerTexts()).toEqual([first]);

  await links.first().click();
  await page.getByRole('heading', { level: 1, name: first }).waitFor();
  const files = page.getByRole('region', { name: 'Answer sheet' }).getByRole('button', { name: /\.pdf$/ });
  await expect.poll(() => files.allInnerTexts()).toEqual(['answer.pdf', 'answer (2).pdf']);
  const address = await page.getByRole('link', { name: 'PDF with marks' }).getAttribute('href');
  const download = await context.request.get(new URL(address ?? '', inject('system').baseUrl).href);
  expect(download.status()).toBe(200);

  const texts = [await received(), await page.content(), JSON.stringify(download.headers())];
  expect(texts[0]).toContain(first);
  for (const text of texts)
    for (const { lastName, email } of scene.students)
      expect([text.includes(lastName), text.includes(email)]).toEqual([false, false]);
});

test('the list of who has handed in is closed to graders, and shows teachers no links and no grades', async () => {
  const { scene, homework } = await newAnonymousHomework();
  const grading = await openAs(await newGrader(scene), homework.path);
  grading.watch.expectFailure(409, /\/students/);
  await grading.page.getByRole('tab', { name: 'Everyone' }).click();
  await grading.page.getByRole('heading', { name: 'This item is graded anonymously' }).waitFor();

  const [submission] = await submissionsOf(scene.teacher, homework);
  await gradeAs(scene.teacher, homework, submission?.id ?? 0, 7);
  const { page } = await openAs(scene.teacher, `${homework.path}/everyone`);
  const table = page.getByRole('table', { name: 'Everyone' });
  for (const { lastName } of scene.students)
    await table.getByRole('row', { name: lastName }).getByText('Submitted').waitFor();
  expect(await table.getByRole('link').count()).toBe(0);
  expect(await table.getByText('7', { exact: true }).count()).toBe(0);
});

test('the names appear when the grades are released, as the confirmation says', async () => {
  const { scene, homework } = await newAnonymousHomework();
  const [submission] = await submissionsOf(scene.teacher, homework);
  await gradeAs(scene.teacher, homework, submission?.id ?? 0, 7);
  const { page } = await openAs(scene.teacher, homework.path);
  const state = page.getByRole('region', { name: 'State' });
  await state.getByText('Anonymous').waitFor();
  await state.getByRole('button', { name: 'Release grades' }).click();
  const dialog = page.getByRole('dialog', { name: 'Release the grades?' });
  await dialog.getByText('Graders will see the names of the students again.').waitFor();
  await dialog.getByRole('button', { name: 'Release grades' }).click();
  await state.getByText('Grades released').waitFor();

  const grading = await openAs(await newGrader(scene), `${homework.path}?status=all`);
  const links = grading.page.getByRole('table', { name: 'Submissions' }).getByRole('link');
  await expect.poll(() => links.allInnerTexts()).toEqual(['Ada Abel', 'Ada Banach']);
  await links.first().click();
  await grading.page.getByRole('heading', { level: 1, name: 'Ada Abel' }).waitFor();
  const sheet = grading.page.getByRole('region', { name: 'Answer sheet' });
  await sheet.getByRole('button', { name: 'Abel 1.pdf' }).waitFor();
});

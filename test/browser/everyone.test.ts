import { plainPdf } from '@gradeway/test/plainPdf';
import { expect, test } from 'vitest';
import { createFixtures, type GradingScene, grading, newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { violations } from './violations.ts';

/** A quiz with a submission, and two students who have handed in nothing. */
async function newScene(): Promise<GradingScene> {
  const scene = await newGradingScene({ lastNames: ['Abel'] });
  const fixtures = createFixtures();
  for (const last_name of ['Banach', 'Cauchy'])
    await fixtures.enroll(scene.courseId, await fixtures.newStudent({ first_name: 'Ada', last_name }));
  return scene;
}

const everyoneOf = async ({ grader, kind, itemId }: GradingScene) =>
  (await grader.get(`${grading}/${kind}/${itemId}/students`)).body.data;

test('a teacher sees who is missing, and gives several students more time at once', async () => {
  const scene = await newScene();
  const { page } = await openAs(scene.grader, `${scene.path}/everyone`);
  const table = page.getByRole('table', { name: 'Everyone' });
  await table
    .getByRole('row', { name: /Ada Abel/ })
    .getByText('Submitted')
    .waitFor();
  await page.getByRole('button', { name: 'Missing 2' }).click();
  await expect.poll(() => table.getByRole('row').count()).toBe(3);
  expect(await violations(page)).toEqual([]);

  await table.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByText('2 students selected').waitFor();
  await page.getByRole('button', { name: 'Give more time' }).click();
  const dialog = page.getByRole('dialog', { name: 'More time for 2 students' });
  await dialog.getByLabel('New closing time').fill('2030-05-01T10:00');
  await dialog.getByRole('textbox', { name: 'Extra minutes' }).fill('15');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Ill');
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await table
    .getByRole('row', { name: /Ada Banach/ })
    .getByText('15 more minutes')
    .waitFor();
  const [, banach, cauchy] = await everyoneOf(scene);
  for (const { allowance } of [banach, cauchy])
    expect(allowance).toMatchObject({ extra_minutes: 15, excused: false, note: 'Ill' });

  // For a single student, the dialog shows the current allowance.
  await table.getByRole('checkbox', { name: 'Select Ada Cauchy' }).check();
  await page.getByRole('button', { name: 'Give more time' }).click();
  const own = page.getByRole('dialog', { name: 'More time for Ada Cauchy' });
  expect(await own.getByRole('textbox', { name: 'Extra minutes' }).inputValue()).toBe('15');
  await own.getByRole('button', { name: 'Remove the extension' }).click();
  await own.waitFor({ state: 'detached' });
  await expect.poll(async () => (await everyoneOf(scene))[2]).toMatchObject({ allowance: null });
});

test('a teacher hands in for a student, and replaces a submission only on request', async () => {
  const scene = await newScene();
  const { page, watch } = await openAs(scene.grader, `${scene.path}/everyone`);
  watch.allowFailure(409, /\/submissions$/);
  const row = page.getByRole('table', { name: 'Everyone' }).getByRole('row', { name: /Ada Banach/ });
  await row.getByRole('button', { name: 'Hand in for this student' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hand in for Ada Banach' });
  const bytes = Buffer.from(plainPdf([{}]));
  await dialog
    .getByLabel('Answer sheet')
    .setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer: bytes });
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Hand in' }).click();
  await dialog.waitFor({ state: 'detached' });
  await row.getByText('Submitted').waitFor();
  const [, banach] = await everyoneOf(scene);
  expect(await scene.detail(banach.submission_id)).toMatchObject({ submitted_by: { id: scene.grader.id } });

  await row.getByRole('button', { name: 'Hand in for this student' }).click();
  await dialog.getByRole('button', { name: 'Hand in' }).click();
  await dialog.getByText('Submission exists').waitFor();
  await dialog.getByRole('checkbox', { name: 'Replace what was handed in' }).check();
  await dialog.getByRole('button', { name: 'Hand in' }).click();
  await dialog.waitFor({ state: 'detached' });

  await row.getByRole('link', { name: 'Ada Banach' }).click();
  await page.getByText('handed in by Emmy Noether').waitFor();
});

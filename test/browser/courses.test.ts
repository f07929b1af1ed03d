import { type Student, unique } from '@gradeway/test/fixtures';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createFixtures, type GradingScene, grading, newGradingScene } from './gradingScene.ts';
import { logIn, openAs, openWindow } from './openWindow.ts';

const fixtures = createFixtures();

/** A course whose only instructor is a teacher, with a quiz that has one graded and one ungraded submission. */
async function newCourseScene(): Promise<GradingScene> {
  const scene = await newGradingScene({ rubric: [] });
  const [first] = scene.submissions;
  const submission = `${grading}/quizzes/submissions/${first?.id}`;
  const { headers } = await scene.grader.get(submission);
  const graded = await scene.grader.put(
    submission,
    { grade: 8, total_grade: 10 },
    { 'if-match': headers.get('etag') ?? '' },
  );
  if (graded.status !== 200) throw new Error(`the grading returned ${graded.status}`);
  return scene;
}

const rowsOf = async (page: Page, table: string, role: 'table' | 'grid' = 'table'): Promise<string[][]> => {
  const rows = await page.getByRole(role, { name: table, exact: true }).locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
};

test('a teacher starts on the list of courses, which shows what there is to grade', async () => {
  const scene = await newCourseScene();
  const window = await openWindow();
  await logIn(window, scene.grader);
  const { page } = window;
  expect(new URL(page.url()).pathname).toBe('/courses');
  await page.getByRole('heading', { name: 'Courses', level: 1 }).waitFor();
  await page.getByRole('link', { name: '1 to grade' }).waitFor();
  await page.getByRole('link', { name: `Continue grading ${scene.title}` }).click();
  await page.getByRole('heading', { name: scene.title, level: 1 }).waitFor();
});

test('a teacher creates a draft quiz and published homework, and sorts the work by title', async () => {
  const scene = await newCourseScene();
  const { page, watch } = await openAs(scene.grader, `/courses/${scene.courseId}`);
  const quiz = `A quiz ${unique()}`;
  await page.getByRole('button', { name: 'New quiz' }).click();
  const dialog = page.getByRole('dialog');
  watch.expectFailure(422, /\/grading\/quizzes$/);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect.poll(() => dialog.getByLabel('Title').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByLabel('Title').fill(quiz);
  await dialog.getByLabel('Closes', { exact: true }).fill('2099-01-02T10:00');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.waitFor({ state: 'detached' });

  const homework = `Z homework ${unique()}`;
  await page.getByRole('button', { name: 'New homework' }).click();
  await dialog.getByLabel('Title').fill(homework);
  await dialog.getByRole('checkbox', { name: 'Publish now' }).check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.waitFor({ state: 'detached' });

  const shown = async () => (await rowsOf(page, 'Work')).map((cells) => cells.map((cell) => cell.trim()));
  const titles = async () => (await shown()).map(([title]) => title);
  await page.getByRole('link', { name: homework }).waitFor();
  await page.getByRole('link', { name: quiz }).waitFor();
  await page.getByRole('button', { name: 'Title', exact: true }).click();
  expect(await titles()).toEqual([quiz, scene.title, homework]);
  await page.getByRole('button', { name: 'Title', exact: true }).click();
  expect(await titles()).toEqual([homework, scene.title, quiz]);
  const states = (await shown()).map(([title, kind, state, , graded, release]) => [
    ...[title, kind, state, graded, release],
  ]);
  expect(states).toEqual([
    [homework, 'Homework', 'Open', '0 of 0 graded', 'Released'],
    [scene.title, 'Quiz', 'Open', '1 of 2 graded', 'Released'],
    [quiz, 'Quiz', 'Draft', '0 of 0 graded', 'Released'],
  ]);
});

test('the gradebook shows every student and item, links to the desk, and downloads what it shows', async () => {
  const scene = await newCourseScene();
  const { page } = await openAs(scene.grader, `/courses/${scene.courseId}`);
  await page.getByRole('tab', { name: 'Gradebook' }).click();
  expect(new URL(page.url()).pathname).toBe(`/courses/${scene.courseId}/gradebook`);
  const grades = async () => {
    await page.reload();
    await page.getByRole('grid', { name: 'Gradebook' }).waitFor();
    return (await rowsOf(page, 'Gradebook', 'grid')).map((cells) =>
      cells.slice(1).map((cell) => cell.replace(/\s+/g, ' ')),
    );
  };
  await expect
    .poll(async () => (await grades()).map((cells) => cells.join(' | ')), { timeout: 15_000, interval: 500 })
    .toEqual([
      expect.stringMatching(/8 \/ 10.* \| 8 \/ 10 80\s?%$/),
      expect.stringMatching(/Handed in \| –$/),
    ]);
  await page.getByRole('link', { name: scene.title }).first().focus();
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(() => document.activeElement?.closest('tr')?.rowIndex)).toBe(2);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const stream = await (await downloading).createReadStream();
  const csv = Buffer.concat(await stream.toArray()).toString();
  expect(csv).toContain('student_id,name,email,');
  expect(csv).toContain(scene.title);
  await page.getByRole('link', { name: scene.title }).first().click();
  await page.getByRole('form', { name: 'Grade' }).waitFor();
});

test('the whole gradebook is printed, after all of its pages are loaded with visible progress', async () => {
  const scene = await newCourseScene();
  const { page } = await openAs(scene.grader, `/courses/${scene.courseId}`);
  // The course has two students, and a page of the list holds only one. The second page arrives when the test allows
  // it.
  const second = Promise.withResolvers<void>();
  await page.route(/\/gradebook\?.*per_page=200/, async (route) => {
    const url = route.request().url().replace('per_page=200', 'per_page=1');
    if (/\bpage=2\b/.test(url)) await second.promise;
    await route.continue({ url });
  });
  await page.evaluate(() => {
    window.print = () => {
      document.title = `printed ${document.querySelectorAll('[role=grid] tbody tr').length}`;
    };
  });
  await page.getByRole('tab', { name: 'Gradebook' }).click();
  await page.getByText('Page 1 of 2, 2 in total').waitFor();
  await page.getByRole('button', { name: 'Print' }).click();
  await page.getByRole('progressbar', { name: 'Loading for print' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  second.resolve();
  await expect.poll(() => page.title()).toBe('printed 2');
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect.poll(async () => (await rowsOf(page, 'Gradebook', 'grid')).length).toBe(1);
});

test('a teacher gives a student an accommodation, changes it and removes it', async () => {
  const scene = await newCourseScene();
  const [student] = scene.students as [Student];
  const path = `${grading}/courses/${scene.courseId}/accommodations/${student.id}`;
  const { page, watch } = await openAs(scene.grader, `/courses/${scene.courseId}/students`);
  watch.allowFailure(404, /\/accommodations\/\d+$/);
  watch.expectFailure(422, /\/accommodations\/\d+$/);
  const dialog = page.getByRole('dialog', { name: 'Accommodation of Ada Abel' });
  const open = () => page.getByRole('button', { name: 'Accommodation of Ada Abel' }).click();
  await open();
  await dialog.getByLabel('Time factor').fill('5');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => dialog.getByLabel('Time factor').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByLabel('Time factor').fill('1,25');
  await dialog.getByLabel('Note').fill('Dyslexia');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await scene.grader.get(path)).body.data).toMatchObject({ time_factor: 1.25, note: 'Dyslexia' });

  await open();
  expect(await dialog.getByLabel('Time factor').inputValue()).toBe('1.25');
  await dialog.getByLabel('Time factor').fill('2');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await scene.grader.get(path)).body.data).toMatchObject({ time_factor: 2, note: 'Dyslexia' });

  await open();
  await dialog.getByRole('button', { name: 'Remove the accommodation' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await scene.grader.get(path)).status).toBe(404);
});

test('a teacher adds a colleague, who is found by email, and changes roles; a course keeps one teacher', async () => {
  const scene = await newCourseScene();
  const other = await fixtures.newStudent({ role: 'instructor', last_name: `N${unique()}` });
  const { page, watch } = await openAs(scene.grader, `/courses/${scene.courseId}/team`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add an instructor' }).click();
  const search = dialog.getByRole('combobox', { name: 'Instructor' });
  await search.fill('N');
  await page.getByText('Type at least 2 letters.').waitFor();
  const add = { name: 'Add', exact: true, includeHidden: true };
  expect(await dialog.getByRole('button', add).isEnabled()).toBe(false);
  await search.fill(other.email);
  await page.getByRole('option', { name: other.email }).click();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.waitFor({ state: 'detached' });
  const roles = async () => (await rowsOf(page, 'Team')).map(([, email, role]) => [email, role]);
  await expect.poll(roles).toContainEqual([other.email, 'Grader']);

  watch.expectFailure(409, /\/instructors\/\d+$/);
  await page.getByRole('row', { name: scene.grader.email }).getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText('A course keeps one teacher').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('row', { name: other.email }).getByRole('button', { name: 'Change the role' }).click();
  await dialog.getByLabel('Role').selectOption('Teacher');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(roles).toContainEqual([other.email, 'Teacher']);
});

test("a grader can read a course but does not see the teachers' buttons", async () => {
  const scene = await newCourseScene();
  const grader = await fixtures.newStudent({ role: 'instructor' });
  const assigned = await scene.grader.put(`${grading}/courses/${scene.courseId}/instructors/${grader.id}`, {
    role: 'grader',
  });
  expect(assigned.status).toBe(200);
  const { page } = await openAs(grader, '/courses');
  await page.getByText('Grader', { exact: true }).waitFor();
  await page.getByRole('link', { name: '1 to grade' }).click();
  await page.getByRole('table', { name: 'Work' }).waitFor();
  expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Work', 'Students', 'Gradebook']);
  expect(await page.getByRole('button', { name: /^New / }).count()).toBe(0);
});

test('a course without work says that there is none, and an unavailable kind of work does not hide the other', async () => {
  const [courseId, teacher] = await Promise.all([
    fixtures.newCourse(),
    fixtures.newStudent({ role: 'instructor' }),
  ]);
  await fixtures.assignInstructor(courseId, teacher);
  const { page, watch, context } = await openAs(teacher, `/courses/${courseId}`);
  await page.getByRole('heading', { name: 'No work yet' }).waitFor();
  await context.route(/\/grading\/homeworks/, (route) =>
    route.fulfill({ status: 404, json: { message: 'Not Found' } }),
  );
  onTestFinished(() => context.unroute(/\/grading\/homeworks/));
  watch.allowFailure(404, /\/grading\/homeworks/);
  await page.reload();
  await page.getByText('Part of this page is missing.').waitFor();
  await page.getByRole('heading', { name: 'No work yet' }).waitFor();
});

import { expect, test } from 'vitest';
import { grading, newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { newOutlineScene } from './outlineScene.ts';
import { violations } from './violations.ts';

test('a teacher deletes a rubric after a confirmation, and questions take its place', async () => {
  const scene = await newGradingScene({ lastNames: ['Abel'] });
  const { grader, itemId, submissions, rubricItems, rubricRevision } = scene;
  const graded = await grader.put(
    `${grading}/quizzes/submissions/${submissions[0]?.id}`,
    { selection: [rubricItems[0]?.id], rubric_revision: rubricRevision },
    { 'if-match': '*' },
  );
  expect(graded.status).toBe(200);
  const rubricPath = `${grading}/quizzes/${itemId}/rubric`;
  const { page } = await openAs(grader, `${scene.path}/questions`);
  const remove = page.getByRole('button', { name: 'Delete the rubric' });
  const dialog = page.getByRole('dialog', { name: 'Delete the rubric?' });
  await remove.click();
  await dialog.getByText('All of its items are lost. This cannot be undone.').waitFor();
  await dialog.getByText('Their grades stay, but no longer say which items they are for.').waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await grader.get(rubricPath)).status).toBe(200);

  await remove.click();
  await dialog.getByRole('button', { name: 'Delete the rubric' }).click();
  await page.getByRole('heading', { name: 'Edit the questions' }).waitFor();
  expect((await grader.get(rubricPath)).status).toBe(404);
  expect((await scene.detail(submissions[0]?.id ?? 0)).grade).toBe(9);
  await page.getByRole('spinbutton', { name: 'Points' }).fill('4');
  await page.getByRole('button', { name: /^(Save|Preview changes)$/ }).click();
  const read = async () => (await grader.get(`${grading}/quizzes/${itemId}/questions`)).body.data;
  await expect.poll(read).toMatchObject({ questions: [{ max_points: 4, rubric: null }] });
});

test('a rubric that another teacher changed meanwhile is deleted only in its current state', async () => {
  const scene = await newGradingScene({ lastNames: [] });
  const { grader, itemId } = scene;
  const window = await openAs(grader, `${scene.path}/questions`);
  const { page } = window;
  const path = `${grading}/quizzes/${itemId}/rubric`;
  const dialog = page.getByRole('dialog', { name: 'Delete the rubric?' });
  const confirm = dialog.getByRole('button', { name: 'Delete the rubric' });
  await page.getByRole('button', { name: 'Delete the rubric' }).click();
  await dialog.getByText('All of its items are lost.').waitFor();
  const other = { mode: 'add', max_points: 10, items: [{ points: 1, text: 'Another' }] };
  expect((await grader.put(path, other, { 'if-match': '*' })).status).toBe(200);
  window.watch.expectFailure(412, /\/rubric$/);
  await confirm.click();
  await dialog.getByRole('alert').waitFor();
  expect((await grader.get(path)).status).toBe(200);
  await dialog.getByText('All of its items are lost.').waitFor();
  await confirm.click();
  await page.getByRole('heading', { name: 'Edit the questions' }).waitFor();
  expect((await grader.get(path)).status).toBe(404);
});

test('a grader who is not a teacher sees no button to delete the rubric', async () => {
  const scene = await newGradingScene({ lastNames: [], graders: 2 });
  const [teacher, second = scene.grader] = scene.graders;
  const role = `${grading}/courses/${scene.courseId}/instructors/${second.id}`;
  expect((await teacher?.put(role, { role: 'grader' }))?.status).toBe(200);
  const { page } = await openAs(second, `${scene.path}/questions`);
  await page.getByRole('heading', { name: 'This work is graded by one rubric' }).waitFor();
  expect(await page.getByRole('button', { name: 'Delete the rubric' }).count()).toBe(0);
});

test('the total of a quiz with questions is the sum of their points, and the settings say so', async () => {
  const questions = [
    { label: '1', max_points: 2.5 },
    { label: '2', max_points: 6 },
  ];
  const scene = await newOutlineScene({ lastNames: [], questions });
  const { page } = await openAs(scene.grader, `${scene.path}/settings`);
  const form = page.getByRole('form', { name: 'Settings' });
  const total = form.getByRole('textbox', { name: 'Out of' });
  await form.getByText('The sum of the questions. Change their points to change it.').waitFor();
  expect(await total.inputValue()).toBe('8.5');
  expect(await total.isEditable()).toBe(false);
  expect(await violations(page)).toEqual([]);
  await form.getByRole('textbox', { name: 'Title' }).fill('Another title');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved', { exact: true }).waitFor();
  const { title, total_grade } = (await scene.grader.get(`${grading}/quizzes/${scene.itemId}`)).body.data;
  expect({ title, total_grade }).toEqual({ title: 'Another title', total_grade: 8.5 });
});

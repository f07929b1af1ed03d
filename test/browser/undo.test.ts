import { expect, test } from 'vitest';
import { deskOf, waitForStudent } from './desk.ts';
import { gradebookOf, grading, newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { violations } from './violations.ts';

test('undoing a first grading makes the paper ungraded again, on the screen and in the gradebook', async () => {
  const scene = await newGradingScene();
  const window = await openAs(scene.grader, scene.deskPath(0));
  const { page } = window;
  const desk = deskOf(window);
  const first = () => scene.detail(scene.submissions[0]?.id ?? 0);
  await waitForStudent(page, desk, scene, 0);
  await page.keyboard.press('2');
  await desk.comment.fill('The example is not a group, because');
  await page.keyboard.press('Control+Enter');
  await waitForStudent(page, desk, scene, 1);
  await expect.poll(() => desk.status.textContent()).toBe('Saved');
  await page.getByText('1 of 2').waitFor();
  // Not the toolbar's button, which undoes marks.
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await waitForStudent(page, desk, scene, 0);
  await page.getByText('0 of 2').waitFor();
  expect(await first()).toMatchObject({ status: 'ungraded', grade: null, comment: null });
  expect(await desk.item('The example is not a group.').isChecked()).toBe(false);
  // The comment is not lost.
  expect(await desk.comment.inputValue()).toBe('The example is not a group, because');
  await expect.poll(() => gradebookOf(scene)).toEqual({});

  // The same grading can be saved again.
  await desk.item('The example is not a group.').check();
  await desk.save.click();
  await expect.poll(first).toMatchObject({ status: 'graded', grade: 7 });
});

test('the undo key restores the grading that the latest one replaced', async () => {
  const scene = await newGradingScene({ lastNames: ['Abel'] });
  const [submission] = scene.submissions;
  const before = {
    selection: [scene.rubricItems[0]?.id],
    rubric_revision: scene.rubricRevision,
    comment: 'Nearly everything is there.',
  };
  await scene.grader.put(`${grading}/quizzes/submissions/${submission?.id}`, before, { 'if-match': '*' });
  const window = await openAs(scene.grader, scene.deskPath(0));
  const { page } = window;
  const desk = deskOf(window);
  const state = () => scene.detail(submission?.id ?? 0);
  await waitForStudent(page, desk, scene, 0);
  await desk.grade.fill('3');
  await desk.comment.fill('');
  await desk.save.click();
  await expect.poll(state).toMatchObject({ grade: 3, comment: null });
  await expect.poll(() => desk.status.textContent()).toBe('Saved');
  await desk.sheet.getByRole('group', { name: 'Pages' }).focus();
  await page.keyboard.press('u');
  await expect.poll(() => desk.status.textContent()).toBe('Undone');
  expect(await state()).toMatchObject({ grade: 9, comment: before.comment, selection: before.selection });
  await expect.poll(() => desk.grade.inputValue()).toBe('9');
  expect(await desk.comment.inputValue()).toBe(before.comment);
  expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(1);
  expect(await violations(page)).toEqual([]);
});

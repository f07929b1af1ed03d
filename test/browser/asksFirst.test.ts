import { expect, test } from 'vitest';
import {
  cardOf,
  gradeAs,
  inMinutes,
  newCourseScene,
  newQuiz,
  pdfFile,
  submissionsOf,
} from './courseScene.ts';
import { deskOf, waitForStudent } from './desk.ts';
import { grading, newGradingScene } from './gradingScene.ts';
import { logIn, openAs, openWindow } from './openWindow.ts';

test('a grading can be undone for ten seconds', async () => {
  const scene = await newGradingScene({ lastNames: ['Abel'], rubric: [] });
  const window = await openWindow();
  const { page } = window;
  await page.clock.install();
  await logIn(window, scene.grader, scene.deskPath(0));
  const desk = deskOf(window);
  await waitForStudent(page, desk, scene, 0);
  const undo = page.locator('.desk-status').getByRole('button', { name: 'Undo' });
  const save = async (grade: string) => {
    await desk.grade.fill(grade);
    await desk.save.click();
    await expect.poll(() => desk.status.textContent()).toBe('Saved');
  };
  await save('3');
  await page.clock.fastForward(4_000);
  await undo.click();
  await expect.poll(() => desk.status.textContent()).toBe('Undone');
  await save('4');
  await undo.waitFor();
  await page.clock.fastForward(10_000);
  await undo.waitFor({ state: 'detached' });
  expect(await scene.detail(scene.submissions[0]?.id ?? 0)).toMatchObject({ grade: 4 });
});

test('settings that release the grades ask first, and change nothing when the confirmation is cancelled', async () => {
  const scene = await newCourseScene();
  const [student = scene.teacher] = scene.students;
  const quiz = await newQuiz(scene, { release: 'manual' });
  await scene.fixtures.submitQuiz({ student, courseId: scene.courseId, quizId: quiz.id });
  const [submission] = await submissionsOf(scene.teacher, quiz);
  await gradeAs(scene.teacher, quiz, submission?.id ?? 0, 8);
  const stored = async () => (await scene.teacher.get(`${grading}/quizzes/${quiz.id}`)).body.data;

  const { page } = await openAs(scene.teacher, `${quiz.path}/settings`);
  const form = page.getByRole('form', { name: 'Settings' });
  await form.getByRole('textbox', { name: 'Title' }).fill('Rings');
  await form.getByRole('combobox', { name: 'Students see their grades' }).selectOption('immediate');
  await form.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Release the grades?' });
  await dialog.getByText('1 student will see the grade').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await stored()).toMatchObject({ release: 'manual', released_at: null, title: quiz.title });

  await form.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Release grades' }).click();
  await form.getByText('Saved', { exact: true }).waitFor();
  expect(await stored()).toMatchObject({ release: 'immediate', title: 'Rings' });
  await page.getByRole('region', { name: 'State' }).getByText('Grades released').waitFor();
});

test('neither a tap, a key nor the middle button starts a timed quiz without a confirmation', async () => {
  const scene = await newCourseScene();
  const [student = scene.teacher] = scene.students;
  const file = new File([new Uint8Array(pdfFile().buffer)], 'questions.pdf');
  const quiz = await newQuiz(scene, { duration_minutes: 20, closes_at: inMinutes(60) });
  const body = new FormData();
  body.append('file', file);
  expect((await scene.teacher.patch(`${grading}/quizzes/${quiz.id}`, body)).status).toBe(200);

  const { page, context } = await openAs(student, '/my');
  const link = cardOf(page, quiz).getByRole('link', { name: 'Open the questions' });
  const question = page.getByRole('dialog', { name: `Start ${quiz.title}?` });
  for (const open of [
    () => link.click(),
    () => link.press('Enter'),
    () => link.click({ button: 'middle' }),
    () => link.click({ modifiers: ['ControlOrMeta'] }),
  ]) {
    await open();
    await question.getByRole('button', { name: 'Not yet' }).click();
    await question.waitFor({ state: 'detached' });
  }
  expect(context.pages()).toHaveLength(1);
  const { data } = (await student.get('/api/v3/quiz/available')).body;
  expect(data).toEqual([expect.objectContaining({ id: quiz.id, started_at: null })]);
});

test('deleting a quiz names what graders lose, and does nothing when the confirmation is cancelled', async () => {
  const scene = await newCourseScene();
  const [student = scene.teacher] = scene.students;
  const quiz = await newQuiz(scene);
  await scene.fixtures.submitQuiz({ student, courseId: scene.courseId, quizId: quiz.id });
  const { page } = await openAs(scene.teacher, `${quiz.path}/settings`);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const question = page.getByRole('dialog', { name: `Delete ${quiz.title}?` });
  await question.getByText('Graders no longer see 1 answer sheet.').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await submissionsOf(scene.teacher, quiz)).toHaveLength(1);
});

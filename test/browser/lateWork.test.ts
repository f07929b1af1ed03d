import { expect, test } from 'vitest';
import { cardOf, inMinutes, newCourseScene, newHomework, newQuiz, pdfFile } from './courseScene.ts';
import { deskOf } from './desk.ts';
import { openAs } from './openWindow.ts';
import { handIn } from './studentScene.ts';
import { violations } from './violations.ts';

/** Late work is accepted for another day, with a penalty of a fifth that leaves at least half of the grade. */
const late = () => ({ until: inMinutes(1_440), penalty_percent: 20, per: 'day', floor_percent: 50 });

test('after the closing time, the card shows the deadline for late work and the penalty', async () => {
  const scene = await newCourseScene();
  const homework = await newHomework(scene, { closes_at: inMinutes(-200), late: late() });
  const [student = scene.teacher] = scene.students;
  const { page } = await openAs(student, '/my');
  const card = cardOf(page, homework);
  await card.getByText(/^Closed .* UTC$/).waitFor();
  await card.getByText(/^Late work is accepted until .* UTC$/).waitFor();
  await card.getByText('It costs 20 % of the grade for each day begun').waitFor();
  await card.getByText('At least 50 % of the grade remain').waitFor();
  expect(await card.getByText(/^Closes /).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await handIn(card, pdfFile());
  await card.getByText('3 hours late', { exact: true }).waitFor();
});

test('before the closing time, the time left counts down to it, not to the end of late work', async () => {
  const scene = await newCourseScene();
  const quiz = await newQuiz(scene, {
    closes_at: inMinutes(30),
    late: { ...late(), per: 'once', grace_minutes: 5 },
  });
  const [student = scene.teacher] = scene.students;
  const { page } = await openAs(student, '/my');
  const card = cardOf(page, quiz);
  await card.getByText(/^Closes .* UTC$/).waitFor();
  await card.getByText('It costs 20 % of the grade', { exact: true }).waitFor();
  await card.getByText('The first 5 minutes cost nothing').waitFor();
  expect(await card.getByRole('timer').textContent()).toMatch(/^(29:\d\d|30:00)$/);
});

test('once late work is no longer accepted, nothing can be handed in', async () => {
  const scene = await newCourseScene();
  const homework = await newHomework(scene, {
    closes_at: inMinutes(-200),
    late: { ...late(), until: inMinutes(-20) },
  });
  const [student = scene.teacher] = scene.students;
  const { page } = await openAs(student, '/my');
  const missed = page.getByRole('region', { name: 'Missed' }).getByRole('article');
  const card = cardOf(page, homework).and(missed);
  await card.getByText(/^Closed .* UTC$/).waitFor();
  expect(await card.getByText(/Late work|It costs/).count()).toBe(0);
  expect(await card.getByLabel('Answer sheet').count()).toBe(0);
});

test('a student sees the deduction for lateness until a teacher waives it on the desk', async () => {
  const scene = await newCourseScene();
  const homework = await newHomework(scene, { closes_at: inMinutes(-200), late: late() });
  const [student = scene.teacher] = scene.students;
  await scene.fixtures.submitHomework({ student, classId: homework.id });

  const window = await openAs(scene.teacher, homework.path);
  const { page } = window;
  const table = page.getByRole('table', { name: 'Submissions' });
  await table.getByRole('row', { name: 'Ada Abel' }).getByText('3 hours late').waitFor();
  await table.getByRole('link', { name: 'Ada Abel' }).click();
  const desk = deskOf(window);
  await page.getByText('20 % are taken from the grade').waitFor();
  await desk.grade.fill('8');
  await desk.save.click();
  await page.getByText('1.6 points taken').waitFor();
  await page.getByText('Final grade 6.4').waitFor();

  const { page: own } = await openAs(student, '/my');
  const card = cardOf(own, homework);
  const taken = '3 hours late: 1.6 of 8 points were taken';
  await card.getByText('6.4 of 10').waitFor();
  await card.getByText(taken).waitFor();
  await card.getByRole('link', { name: `My submission: ${homework.title}` }).click();
  const feedback = own.getByRole('region', { name: 'Grade' });
  await feedback.getByText('6.4 of 10').waitFor();
  await feedback.getByText(taken).waitFor();

  await page.getByRole('button', { name: 'Waive' }).click();
  await page.getByText('The late penalty is waived.').waitFor();
  // The grade that was given is the same.
  expect(await desk.grade.inputValue()).toBe('8');
  await own.reload();
  await feedback.getByText('8 of 10').waitFor();
  expect(await feedback.getByText(/late/).count()).toBe(0);
  await own.goto('/my');
  await card.getByText('8 of 10').waitFor();
  expect(await card.getByText('3 hours late').count()).toBe(0);
  // An event updates the gradebook.
  await expect
    .poll(async () => (await student.get('/api/v3/grades')).body.data[0])
    .toMatchObject({ grade: 8, final_grade: 8, late: null });
});

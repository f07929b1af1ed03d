import { expect, test } from 'vitest';
import { deskOf, waitForStudent } from './desk.ts';
import { type GradingScene, newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { violations } from './violations.ts';

async function openDesk(scene: GradingScene) {
  const window = await openAs(scene.grader, scene.deskPath(0));
  const desk = deskOf(window);
  await waitForStudent(window.page, desk, scene, 0);
  const first = () => scene.detail(scene.submissions[0]?.id ?? 0);
  return { page: window.page, desk, first };
}

test('the save key does not grade an untouched paper until the grader chooses "No deductions"', async () => {
  const scene = await newGradingScene();
  const { page, desk, first } = await openDesk(scene);
  const demand = desk.form.getByText('Choose what applies, or that nothing does.');
  await expect
    .poll(async () => {
      await page.keyboard.press('n');
      return demand.isVisible();
    })
    .toBe(true);
  await waitForStudent(page, desk, scene, 0);
  expect(await violations(page)).toEqual([]);
  await desk.save.click();
  await demand.waitFor();
  expect(await first()).toMatchObject({ status: 'ungraded' });

  await page.keyboard.press('0');
  expect(await desk.item('No deductions').isChecked()).toBe(true);
  await page.keyboard.press('n');
  await waitForStudent(page, desk, scene, 1);
  await expect.poll(first).toMatchObject({ status: 'graded', grade: 10, selection: [] });
});

test('selecting an item clears "No deductions", and vice versa', async () => {
  const scene = await newGradingScene({ lastNames: ['Abel'] });
  const { page, desk } = await openDesk(scene);
  await desk.item('No deductions').check();
  await page.keyboard.press('1');
  expect(await desk.item('No deductions').isChecked()).toBe(false);
  expect(await desk.item('The operation is not shown').isChecked()).toBe(true);
  await page.keyboard.press('0');
  expect(await desk.item('The operation is not shown').isChecked()).toBe(false);
  expect(await desk.grade.inputValue()).toBe('10');
});

test('the items of a group are radio buttons, and pressing the selected one clears it', async () => {
  const rubric = [
    { points: 1, text: 'Slip', group: 'Result' },
    { points: 4, text: 'Wrong result', group: 'Result' },
    { points: 2, text: 'No proof' },
  ];
  const scene = await newGradingScene({ lastNames: ['Abel'], rubric });
  const { page, desk } = await openDesk(scene);
  const group = desk.form.getByRole('radiogroup', { name: 'Result' });
  await group.getByRole('radio', { name: 'Slip' }).check();
  await page.keyboard.press('2');
  expect(await group.getByRole('radio', { name: 'Slip' }).isChecked()).toBe(false);
  expect(await group.getByRole('radio', { name: 'Wrong result' }).isChecked()).toBe(true);
  expect(await desk.grade.inputValue()).toBe('6');
  expect(await violations(page)).toEqual([]);
  await group.getByRole('radio', { name: 'Wrong result' }).click();
  expect(await desk.grade.inputValue()).toBe('10');
  await desk.item('No proof').check();
  expect(await desk.grade.inputValue()).toBe('8');
});

test('"7,5" is read as 7.5, and text that is not a number is rejected', async () => {
  const scene = await newGradingScene({ lastNames: ['Abel'] });
  const { page, desk, first } = await openDesk(scene);
  await page.keyboard.press('g');
  await page.keyboard.type('7.5.');
  await desk.save.click();
  await desk.form.getByText('Enter a grade of at least 0.').waitFor();
  await desk.grade.fill('');
  await page.keyboard.type('7,5');
  await desk.save.click();
  await expect.poll(first).toMatchObject({ grade: 7.5 });
});

test('Escape keeps the text being typed on the page and deselects the tool', async () => {
  const scene = await newGradingScene({ lastNames: ['Abel'] });
  const { page, desk } = await openDesk(scene);
  const tool = (name: string) => page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed');
  await page.keyboard.press('t');
  await desk.sheet.getByRole('group', { name: 'Marks on page 1' }).click({ position: { x: 200, y: 300 } });
  await page.keyboard.type('See page 2');
  await page.keyboard.press('Escape');
  await desk.sheet.getByRole('img', { name: 'Text: See page 2' }).waitFor();
  expect(await tool('Text')).toBe('false');
  await page.keyboard.press('p');
  expect(await tool('Pen')).toBe('true');
  await page.keyboard.press('Escape');
  expect(await tool('Pen')).toBe('false');
});

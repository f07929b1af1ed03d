import { form, pdf } from '@gradeway/test/httpClient';
import { expect, test } from 'vitest';
import { deskOf, waitForStudent } from './desk.ts';
import { createFixtures, newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { violations } from './violations.ts';

test.for([
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
] as const)(
  'the rubric and "Save and next" are visible without scrolling: $width × $height',
  async (size) => {
    const scene = await newGradingScene({ lastNames: ['Abel'] });
    const window = await openAs(scene.grader, scene.deskPath(0), size);
    const { page } = window;
    const desk = deskOf(window);
    await waitForStudent(page, desk, scene, 0);
    const saveAndNext = desk.form.getByRole('button', { name: 'Save and next' });
    for (const part of [saveAndNext, desk.item('No deductions'), desk.item('The operation is not shown')]) {
      const box = await part.boundingBox();
      expect(box).not.toBeNull();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(size.height);
      // Nothing covers it.
      await part.click({ trial: true });
    }
    const sheet = await desk.sheet.getByRole('group', { name: 'Pages' }).boundingBox();
    expect(sheet?.height).toBeGreaterThan(180);
  },
);

test('the questions open beside the sheet and stay open on the next one', async () => {
  const scene = await newGradingScene();
  const admin = await createFixtures().asAdmin();
  const changed = await admin.request('PATCH', `/api/v3/quiz/pdf-quizzes/${scene.itemId}`, {
    body: form({ file: await pdf() }),
  });
  expect(changed.status).toBe(200);
  const window = await openAs(scene.grader, scene.deskPath(0));
  const { page } = window;
  const desk = deskOf(window);
  await waitForStudent(page, desk, scene, 0);
  await page.getByRole('button', { name: 'Questions', exact: true }).click();
  const questions = page.getByRole('region', { name: 'Questions' });
  await questions.getByRole('img', { name: 'Page 1' }).locator('canvas').waitFor();
  expect(await violations(page)).toEqual([]);
  await desk.sheet.getByRole('group', { name: 'Pages' }).focus();
  for (const key of ['1', 'n']) await page.keyboard.press(key);
  await waitForStudent(page, desk, scene, 1);
  expect(await questions.isVisible()).toBe(true);
  await questions.getByRole('button', { name: 'Close' }).click();
  await questions.waitFor({ state: 'detached' });
});

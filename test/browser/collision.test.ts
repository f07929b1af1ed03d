import { describe, expect, test } from 'vitest';
import { deskOf, waitForStudent } from './desk.ts';
import { type GradingScene, newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { violations } from './violations.ts';

/** Two graders open the same submission; the first saves 9, then the second saves 5. Ends with the second's dialog open. */
async function collide() {
  const scene = await newGradingScene({ lastNames: ['Abel'], graders: 2 });
  const [first, second] = scene.graders as [GradingScene['grader'], GradingScene['grader']];
  const one = await openAs(first, scene.deskPath(0));
  await waitForStudent(one.page, deskOf(one), scene, 0);
  const other = await openAs(second, scene.deskPath(0));
  other.watch.expectFailure(412, /\/submissions\/\d+$/);
  // The first grader has claimed it. Whether the second sees the notice depends on which of them was faster.
  other.watch.allowFailure(409, /\/claim/);
  await waitForStudent(other.page, deskOf(other), scene, 0);

  await one.page.keyboard.press('1');
  await deskOf(one).save.click();
  await expect.poll(() => deskOf(one).status.textContent()).toContain('Saved');

  await deskOf(other).grade.fill('5');
  await deskOf(other).comment.fill('Five, I say');
  await deskOf(other).save.click();
  const dialog = other.page.getByRole('dialog', { name: 'Changed meanwhile' });
  await dialog.waitFor();
  const detail = () => scene.detail(scene.submissions[0]?.id ?? 0);
  return { page: other.page, desk: deskOf(other), dialog, detail };
}

describe('a second grader, who would overwrite the first,', () => {
  test('a second grader sees both gradings side by side, and nothing is saved before a choice', async () => {
    const { page, dialog, detail } = await collide();
    const [mine, theirs] = [
      dialog.getByRole('heading', { name: 'Yours' }),
      dialog.getByText('By Emmy Noether'),
    ];
    for (const each of [mine, theirs, dialog.getByText('Five, I say')]) await each.waitFor();
    await dialog.getByText('The operation is not shown to be associative.').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await detail()).toMatchObject({ grade: 9, comment: null });
  });

  test(`"Keep mine" saves the second grader's grading`, async () => {
    const { dialog, desk, detail } = await collide();
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(() => desk.status.textContent()).toContain('Saved');
    expect(await detail()).toMatchObject({ grade: 5, comment: 'Five, I say', selection: [] });
  });

  test(`"Use theirs" continues with the first grader's grading`, async () => {
    const { page, dialog, desk, detail } = await collide();
    await dialog.getByRole('button', { name: 'Use theirs' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => desk.grade.inputValue()).toBe('9');
    expect(await desk.comment.inputValue()).toBe('');
    await page.reload();
    await expect.poll(() => desk.grade.inputValue()).toBe('9');
    expect(await detail()).toMatchObject({ grade: 9, comment: null });
  });
});

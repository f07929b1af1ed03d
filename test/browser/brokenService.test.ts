import { setTimeout as sleep } from 'node:timers/promises';
import { Fixtures } from '@gradeway/test/fixtures';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deskOf, waitForStudent } from './desk.ts';
import { newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';

// A separate system, because the test kills one of its services.
let system: LocalSystem;
beforeAll(async () => {
  system = await startLocalSystem({ RATE_LIMIT_PER_MINUTE: '0' });
});
afterAll(() => system?.remove());

/** Kills the quiz service after each restart, until the returned function is called. */
function keepQuizDown(): () => Promise<void> {
  let isDown = true;
  const killing = (async () => {
    let killed = 0;
    while (isDown) {
      const { pid } = await system.process('quiz').catch(() => ({ pid: killed }));
      if (pid !== killed) process.kill(pid, 'SIGKILL');
      killed = pid;
      await sleep(20);
    }
  })();
  return () => {
    isDown = false;
    return killing;
  };
}

test('while the quiz service is down, homework can be graded, and quiz parts report the failure and recover', async () => {
  const fixtures = new Fixtures(system);
  const scene = await newGradingScene({ kind: 'homeworks', lastNames: ['Abel'], fixtures });
  const quizId = await fixtures.newQuiz(scene.courseId, { title: 'A quiz of its own' });
  const window = await openAs(scene.grader, '/grading', { baseUrl: system.baseUrl });
  const { page, watch } = window;
  await page.getByRole('link', { name: 'A quiz of its own' }).waitFor();
  for (const status of [503, 504]) watch.allowFailure(status, /^\/api\/v3\/grading\//);
  const letQuizStart = keepQuizDown();
  try {
    await page.reload();
    await page.getByRole('link', { name: scene.title }).waitFor();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('Part of this page is missing.');
    expect(await page.getByRole('link', { name: 'A quiz of its own' }).count()).toBe(0);
    await page.getByRole('link', { name: scene.title }).click();
    await page.getByRole('button', { name: 'Grade next' }).click();
    const desk = deskOf(window);
    await waitForStudent(page, desk, scene, 0);
    await page.keyboard.press('2');
    await desk.save.click();
    await expect.poll(() => desk.status.textContent()).toContain('Saved');
    expect(await scene.detail(scene.submissions[0]?.id ?? 0)).toMatchObject({ grade: 7 });
    await page.goto(`/grading/quizzes/${quizId}`);
    await page.getByRole('heading', { name: 'This part of the school is not responding' }).waitFor();
  } finally {
    await letQuizStart();
  }
  await waitFor(async () => (await scene.grader.get('/api/v3/grading/quizzes')).status === 200);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'A quiz of its own' }).waitFor();
});

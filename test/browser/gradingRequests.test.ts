import { expect, test } from 'vitest';
import { deskOf, waitForStudent } from './desk.ts';
import { newGradingScene } from './gradingScene.ts';
import { logIn, openWindow } from './openWindow.ts';

/** Describes a request without its variable parts. */
const kindOf = (method: string, url: string) =>
  `${method} ${new URL(url).pathname
    .replace(/\/files\/.*/, '/files')
    .replace('/api/v3/', '')
    .replaceAll(/\/\d+/g, '')}`;

test("grading a sheet takes one request each for its grade, its claim, the next sheet and that sheet's file", async () => {
  const scene = await newGradingScene({ lastNames: ['Abel', 'Banach', 'Cauchy', 'Dirac', 'Euler'] });
  const window = await openWindow();
  const { page, context } = window;
  const desk = deskOf(window);
  const gradeOne = async (position: number) => {
    await waitForStudent(page, desk, scene, position);
    await page.keyboard.press('1');
    await page.keyboard.press('n');
  };
  const made: string[] = [];
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) made.push(kindOf(request.method(), request.url()));
  });
  await logIn(window, scene.grader, scene.deskPath(0));
  // The first sheet also loads data that is cached: the list of items, the comment bank, the progress.
  await gradeOne(0);
  await waitForStudent(page, desk, scene, 1);
  const countOf = (wanted: string) => made.filter((each) => each === wanted).length;
  await expect
    .poll(() => [
      countOf('DELETE grading/quizzes/submissions/claim'),
      countOf('GET files'),
      countOf('POST grading/quizzes/next'),
      countOf('PUT grading/quizzes/submissions'),
      countOf('PUT grading/quizzes/submissions/claim'),
    ])
    .toEqual([1, 3, 2, 1, 2]);
  made.splice(0);
  await gradeOne(1);
  await waitForStudent(page, desk, scene, 2);
  await expect
    .poll(() => made.toSorted())
    .toEqual([
      'DELETE grading/quizzes/submissions/claim',
      'GET files',
      'POST grading/quizzes/next',
      'PUT grading/quizzes/submissions',
      'PUT grading/quizzes/submissions/claim',
    ]);
});

import { randomUUID } from 'node:crypto';
import { plainPdf } from '@gradeway/test/plainPdf';
import { waitFor } from '@gradeway/test/waitFor';
import { expect, test } from 'vitest';
import { beyondWindow } from './beyondWindow.ts';
import { createFixtures, grading } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { newStudentScene, type StudentScene, storedSheet } from './studentScene.ts';

const hostile = `<img src=x onerror=alert(1)> \u202Egnp.exe ${'W'.repeat(400)}`;

/** Hands in a page, and grades it with a rubric, a comment and a large green mark. */
async function grade({ student, courseId, quiz }: StudentScene, comment: string): Promise<void> {
  const fixtures = createFixtures();
  const file = new File([new Uint8Array(plainPdf([{}]))], 'answers.pdf', { type: 'application/pdf' });
  await fixtures.submitQuiz({ student, courseId, quizId: quiz.id }, { file });
  const admin = await fixtures.asAdmin();
  const body = {
    mode: 'subtract',
    max_points: 10,
    items: [
      { points: 2, text: hostile },
      { points: 1, text: 'No end' },
    ],
  };
  const rubric = await admin.put(`${grading}/quizzes/${quiz.id}/rubric`, body, { 'if-none-match': '*' });
  const { id } = await storedSheet(quiz.id);
  const { data } = (await admin.get(`${grading}/quizzes/submissions/${id}`)).body;
  const mark = {
    id: randomUUID(),
    file_id: data.files[0].id,
    page: 1,
    kind: 'highlight',
    rect: [0, 0, 595, 842],
    color: '#00ff00',
  };
  const graded = await admin.put(
    `${grading}/quizzes/submissions/${id}`,
    {
      selection: [rubric.body.data.items[0].id],
      rubric_revision: rubric.body.data.revision,
      comment,
      annotations: [mark],
    },
    { 'if-match': '*' },
  );
  expect(graded.status).toBe(200);
  await waitFor(async () => (await student.get('/api/v3/grades')).body.data.length === 1);
}

test("a grade leads to the student's own work with its marks, rubric and comment", async () => {
  const scene = await newStudentScene();
  const comment = `Nearly. ${hostile}`;
  await grade(scene, comment);
  const { page } = await openAs(scene.student, '/my/grades');
  const row = page.getByRole('row', { name: scene.quiz.title });
  await row.getByText('8 of 10').waitFor();
  await page.getByRole('heading', { name: scene.courseTitle }).waitFor();
  await row.getByRole('link', { name: scene.quiz.title }).click();

  const feedback = page.getByRole('region', { name: 'Grade' });
  await feedback.getByText('8 of 10').waitFor();
  await feedback.getByText(comment).waitFor();
  await expect
    .poll(() => feedback.getByRole('listitem').allTextContents())
    // Only the items that apply, with their signs.
    .toEqual([`${hostile}−2`]);
  const canvas = page.getByRole('img', { name: 'Page 1' }).locator('canvas');
  await canvas.waitFor();
  // The mark covers the page in its own green.
  const [red = 255, green = 0] = await canvas.evaluate((each) => {
    const { width, height } = each as HTMLCanvasElement;
    const pixel = (each as HTMLCanvasElement).getContext('2d')?.getImageData(width / 2, height / 2, 1, 1);
    return [...(pixel?.data ?? [])];
  });
  expect(green - red).toBeGreaterThan(60);
  expect(await page.getByRole('link', { name: 'Annotated PDF' }).getAttribute('href')).toContain(
    '/annotated/',
  );
  await page.setViewportSize({ width: 320, height: 700 });
  await expect.poll(() => beyondWindow(page)).toEqual([]);
  expect(await page.locator('[onerror]').count()).toBe(0);
});

test('the submission of another student is not found', async () => {
  const [own, other] = await Promise.all([newStudentScene(), newStudentScene()]);
  await createFixtures().submitQuiz({
    student: other.student,
    courseId: other.courseId,
    quizId: other.quiz.id,
  });
  const { id } = await storedSheet(other.quiz.id);
  const { page, watch } = await openAs(own.student, '/my');
  watch.expectFailure(404, /^\/api\/v3\/quiz\/submissions\//);
  await page.goto(`/my/submissions/quizzes/${id}`);
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
});

test('a student without courses sees that there is no work and no course', async () => {
  const student = await createFixtures().newStudent();
  const { page } = await openAs(student, '/my');
  await page.getByRole('heading', { name: 'Nothing to do yet' }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Grades' }).click();
  await page.getByRole('heading', { name: 'You have no courses' }).waitFor();
});

import { expect, test } from 'vitest';
import {
  type CourseScene,
  gradeAs,
  type NewItem,
  newCourseScene,
  newGrader,
  newQuiz,
  submissionsOf,
} from './courseScene.ts';
import { openAs } from './openWindow.ts';

/** A course with a quiz whose only submission is graded and held back. */
async function newGradedQuiz(): Promise<{ scene: CourseScene; quiz: NewItem }> {
  const scene = await newCourseScene(['Abel']);
  const quiz = await newQuiz(scene, { release: 'manual', graders_edit_rubric: false });
  const [student] = scene.students;
  if (!student) throw new Error('a student is needed');
  await scene.fixtures.submitQuiz({ student, courseId: scene.courseId, quizId: quiz.id });
  const [submission] = await submissionsOf(scene.teacher, quiz);
  await gradeAs(scene.teacher, quiz, submission?.id ?? 0, 8);
  return { scene, quiz };
}

test('a grader sees no buttons for teachers', async () => {
  const { scene, quiz } = await newGradedQuiz();
  const { page } = await openAs(await newGrader(scene), `/courses/${scene.courseId}`);
  const forTeachers = page.getByRole('button', {
    name: /^(New quiz|New homework|Publish|Release grades|Hide grades|Save|Copy|Delete|Give more time|Hand in for .*)$/,
  });
  const open = async (path: string, content: { waitFor(): Promise<void> }) => {
    await page.goto(path);
    await content.waitFor();
    expect(await forTeachers.allInnerTexts(), path).toEqual([]);
  };
  await open(`/courses/${scene.courseId}`, page.getByRole('link', { name: quiz.title }));
  await open(`/courses/${scene.courseId}/students`, page.getByRole('table', { name: 'Students' }));
  await open(`/courses/${scene.courseId}/gradebook`, page.getByRole('grid', { name: 'Gradebook' }));
  await open(quiz.path, page.getByText('Grades held back'));
  await open(`${quiz.path}/everyone`, page.getByRole('table', { name: 'Everyone' }));
  await open(`${quiz.path}/statistics`, page.getByRole('heading', { name: 'Graders' }));
});

test('a page that is only for teachers says so to a grader', async () => {
  const { scene, quiz } = await newGradedQuiz();
  const { page } = await openAs(await newGrader(scene), `${quiz.path}/settings`);
  const title = (name: string) => page.getByRole('heading', { name, exact: true });
  await title('Only teachers of the course can change its settings').waitFor();
  await page.goto(`${quiz.path}/rubric`);
  await title('Only teachers of the course can change this rubric').waitFor();
  await page.goto(`/courses/${scene.courseId}/team`);
  await title('Only teachers of the course can see its team').waitFor();
  expect(await page.getByRole('button', { name: 'Add an instructor' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Work', exact: true }).click();
  await page.getByRole('table', { name: 'Work' }).waitFor();
});

test('the course and the quiz of another teacher do not exist', async () => {
  const { scene, quiz } = await newGradedQuiz();
  const { teacher: stranger } = await newCourseScene([]);
  const { page, watch } = await openAs(stranger, `/courses/${scene.courseId}`);
  const missing = page.getByRole('heading', { name: 'This page does not exist', level: 1 });
  await missing.waitFor();
  watch.expectFailure(404, new RegExp(`/${quiz.id}`));
  await page.goto(`${quiz.path}/settings`);
  await missing.waitFor();
});

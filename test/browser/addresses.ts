import type { Student } from '@gradeway/test/fixtures';
import { waitFor } from '@gradeway/test/waitFor';
import type { Page } from 'playwright-core';
import { createFixtures, type GradingScene, grading, newGradingScene } from './gradingScene.ts';
import { newQuizOf } from './studentScene.ts';
import type { words } from './words.ts';

export type Visitor = 'nobody' | 'instructor' | 'student' | 'admin';

type Translate = ReturnType<typeof words>;

interface Places extends GradingScene {
  /** A quiz that the student can take. */
  openQuiz: { title: string };
  webhookId: number;
  /** A graded quiz with a question for which a student asked for a review. */
  outlined: { path: string; questionId: number; submissionId: number };
}

interface Address {
  visitor: Visitor;
  path(scene: Places): string;
  /** Waits until the page shows its content. */
  ready(page: Page, t: Translate, scene: Places): Promise<void>;
  /** A request from the page that is expected to fail. */
  refused?: readonly [status: number, path: RegExp];
}

const heading = (english: string) => (page: Page, t: Translate) =>
  page
    .getByRole('heading', { name: t(english), exact: true })
    .first()
    .waitFor();

const table = (english: string) => (page: Page, t: Translate) =>
  page.getByRole('table', { name: t(english), exact: true }).waitFor();

const grid = (english: string) => (page: Page, t: Translate) =>
  page.getByRole('grid', { name: t(english), exact: true }).waitFor();

const link = (english: string) => (page: Page, t: Translate) =>
  page
    .getByRole('link', { name: t(english) })
    .first()
    .waitFor();

/**
 * Every path of the application. A new page takes part in all accessibility tests once it is listed here. The scene has a
 * quiz with a graded, a flagged and an ungraded submission; the student owns the graded one and has other work to hand in.
 */
export const addresses: Address[] = [
  { visitor: 'nobody', path: () => '/login', ready: heading('Log in to Gradeway') },
  { visitor: 'instructor', path: () => '/courses', ready: link('Continue grading') },
  { visitor: 'instructor', path: ({ courseId }) => `/courses/${courseId}`, ready: table('Work') },
  {
    visitor: 'instructor',
    path: ({ courseId }) => `/courses/${courseId}/students`,
    ready: table('Students'),
  },
  {
    visitor: 'instructor',
    path: ({ courseId }) => `/courses/${courseId}/gradebook`,
    ready: grid('Gradebook'),
  },
  { visitor: 'instructor', path: ({ courseId }) => `/courses/${courseId}/team`, ready: table('Team') },
  {
    visitor: 'instructor',
    path: () => '/courses/1000000',
    ready: heading('This page does not exist'),
  },
  { visitor: 'instructor', path: () => '/grading', ready: heading('Grading') },
  {
    visitor: 'instructor',
    path: ({ path }) => `${path}?status=all`,
    ready: (page, _, { submissions }) =>
      page.getByRole('link', { name: submissions[0]?.studentName ?? '' }).waitFor(),
  },
  {
    visitor: 'instructor',
    path: ({ path }) => `${path}?status=all&search=nobody`,
    ready: heading('No one found'),
  },
  {
    visitor: 'instructor',
    path: ({ deskPath }) => deskPath(0),
    ready: (page) => page.locator('[data-page="1"] canvas').first().waitFor(),
  },
  {
    visitor: 'instructor',
    path: ({ path }) => `${path}/rubric`,
    ready: (page, t) => page.getByRole('list', { name: t('Items') }).waitFor(),
  },
  {
    visitor: 'instructor',
    path: ({ path }) => `${path}/questions`,
    ready: heading('This work is graded by one rubric'),
  },
  {
    visitor: 'instructor',
    path: ({ outlined }) => `${outlined.path}/questions`,
    ready: (page, t) => page.getByRole('form', { name: t('Questions') }).waitFor(),
  },
  {
    visitor: 'instructor',
    path: ({ outlined }) => `${outlined.path}/questions/${outlined.questionId}/rubric`,
    ready: (page, t) => page.getByRole('list', { name: t('Items') }).waitFor(),
  },
  {
    visitor: 'instructor',
    path: ({ outlined }) =>
      `${outlined.path}/submissions/${outlined.submissionId}?question=${outlined.questionId}`,
    ready: async (page, t) => {
      await page.locator('[data-page="1"] canvas').first().waitFor();
      await page.getByRole('form', { name: t('Review') }).waitFor();
    },
  },
  { visitor: 'instructor', path: ({ outlined }) => `${outlined.path}/reviews`, ready: table('Reviews') },
  {
    visitor: 'instructor',
    path: ({ path }) => `${path}/reviews`,
    ready: heading('No open reviews'),
  },
  { visitor: 'instructor', path: ({ path }) => `${path}/statistics`, ready: heading('Graders') },
  { visitor: 'instructor', path: ({ path }) => `${path}/everyone`, ready: table('Everyone') },
  {
    visitor: 'instructor',
    path: ({ path }) => `${path}/settings`,
    ready: (page, t) => page.getByRole('form', { name: t('Settings') }).waitFor(),
  },
  { visitor: 'instructor', path: () => '/no-such-page', ready: heading('This page does not exist') },
  { visitor: 'instructor', path: () => '/grading/quizzes/0', ready: heading('This page does not exist') },
  {
    visitor: 'instructor',
    path: () => '/grading/quizzes/1000000',
    ready: heading('This page does not exist'),
    refused: [404, /\/1000000(\/|$)/],
  },
  {
    visitor: 'student',
    path: () => '/my',
    ready: (page, _, { openQuiz }) => page.getByRole('article', { name: openQuiz.title }).waitFor(),
  },
  {
    visitor: 'student',
    path: () => '/my/grades',
    ready: (page, _, { title }) => page.getByRole('row', { name: title }).waitFor(),
  },
  {
    visitor: 'student',
    path: ({ submissions }) => `/my/submissions/quizzes/${submissions[1]?.id}`,
    ready: (page, t) =>
      page
        .getByRole('img', { name: t('Page {page}').replace('{page}', '1') })
        .locator('canvas')
        .waitFor(),
  },
  {
    visitor: 'student',
    path: () => '/my/submissions/quizzes/1000000',
    ready: heading('This page does not exist'),
    refused: [404, /\/1000000$/],
  },
  {
    visitor: 'student',
    path: () => '/account',
    ready: (page, t) => page.getByRole('list', { name: t('Sessions') }).waitFor(),
  },
  { visitor: 'student', path: () => '/courses', ready: heading('This page is not for your account') },
  { visitor: 'student', path: () => '/grading', ready: heading('This page is not for your account') },
  { visitor: 'instructor', path: () => '/console', ready: heading('This page is not for your account') },
  { visitor: 'admin', path: () => '/console', ready: link('Webhooks') },
  { visitor: 'admin', path: () => '/console/courses', ready: table('Courses') },
  {
    visitor: 'admin',
    path: ({ courseId }) => `/console/courses/${courseId}`,
    ready: table('Quizzes'),
  },
  {
    visitor: 'admin',
    path: ({ courseId }) => `/console/courses/${courseId}?tab=classes`,
    ready: table('Classes'),
  },
  {
    visitor: 'admin',
    path: ({ courseId }) => `/console/courses/${courseId}?tab=students`,
    ready: table('Students'),
  },
  {
    visitor: 'admin',
    path: () => '/console/courses/1000000',
    ready: heading('This page does not exist'),
    refused: [404, /\/1000000$/],
  },
  { visitor: 'admin', path: () => '/console/users', ready: table('Users') },
  {
    visitor: 'admin',
    path: ({ grader }) => `/console/users/${grader.id}`,
    ready: heading('Personal data'),
  },
  {
    visitor: 'admin',
    path: () => '/console/import',
    ready: (page, t) => page.getByLabel(t('Archive')).waitFor(),
  },
  {
    visitor: 'admin',
    path: ({ grader }) => `/console/devices?user=${grader.id}`,
    ready: table('Devices'),
  },
  { visitor: 'admin', path: () => '/console/webhooks', ready: table('Webhooks') },
  {
    visitor: 'admin',
    path: ({ webhookId }) => `/console/webhooks/${webhookId}`,
    ready: table('Deliveries'),
  },
  {
    visitor: 'admin',
    path: () => '/console/service-accounts',
    ready: (page) => page.getByRole('table').waitFor(),
  },
  { visitor: 'admin', path: () => '/console/providers', ready: heading('Single sign-on') },
  { visitor: 'admin', path: () => '/console/audit', ready: table('Audit log') },
  { visitor: 'admin', path: () => '/console/gradebook', ready: heading('Choose a course') },
  {
    visitor: 'admin',
    path: ({ courseId }) => `/console/gradebook?course=${courseId}`,
    ready: table('Gradebook'),
  },
];

export interface AddressScene {
  scene: Places;
  people: Record<Exclude<Visitor, 'nobody'>, { email: string; password: string }>;
}

/** The data and users that all paths need. */
export async function newAddressScene(): Promise<AddressScene> {
  const fixtures = createFixtures();
  const [scene, admin] = await Promise.all([
    newGradingScene({ lastNames: ['Abel', 'Banach', 'Cauchy'] }),
    fixtures.newAccount({ role: 'admin', first_name: 'Grace' }),
  ]);
  const [, second] = scene.submissions;
  const [, student] = scene.students as [Student, Student];
  const body = {
    selection: [scene.rubricItems[0]?.id],
    rubric_revision: scene.rubricRevision,
    comment: 'Nearly everything is there.',
  };
  await scene.grader.put(`${grading}/quizzes/submissions/${second?.id}`, body, { 'if-match': '*' });
  const webhook = { url: 'http://127.0.0.1:9/nobody', event_types: ['course.deleted.v1'] };
  const operator = await fixtures.asAdmin();
  const webhookId = (await operator.post('/api/v3/admin/webhooks', webhook)).body.data.id;
  await operator.post(`/api/v3/admin/webhooks/${webhookId}/test`);
  await operator.post('/api/v3/admin/service-accounts', { name: 'Registry', scopes: ['courses:read'] });
  const openQuiz = await newQuizOf(scene.courseId);
  await fixtures.newAssignment(await fixtures.newClass(scene.courseId));
  await waitFor(async () => (await student.get('/api/v3/grades')).body.data.length === 1);
  const outlined = await newOutline(scene);
  return {
    scene: { ...scene, openQuiz, webhookId, outlined },
    people: { instructor: scene.grader, student, admin },
  };
}

async function newOutline({ courseId, grader, students }: GradingScene): Promise<Places['outlined']> {
  const reviews = { until: '2100-01-01T00:00:00Z', per_submission: 1 };
  const quiz = { course_id: courseId, title: 'Fields', total_grade: 10, published: true, reviews };
  const { id } = (await grader.post(`${grading}/quizzes`, quiz)).body.data;
  const questions = [{ label: '1', title: 'Induction', max_points: 10 }];
  const item = `${grading}/quizzes/${id}`;
  const { body } = await grader.put(`${item}/questions`, { questions }, { 'if-match': '*' });
  const questionId = body.data.questions[0].id;
  const [student] = students as [Student];
  await createFixtures().submitQuiz({ student, courseId, quizId: id });
  const [{ id: submissionId }] = (await grader.get(`${item}/submissions`)).body.data;
  const answer = `${grading}/quizzes/submissions/${submissionId}/questions/${questionId}`;
  await grader.put(answer, { points: 7.5 }, { 'if-match': '*' });
  const review = { question_id: questionId, text: 'The second step follows from the first.' };
  const { status } = await student.post(`/api/v3/quiz/submissions/${submissionId}/reviews`, review);
  if (status !== 201) throw new Error(`no review: ${status}`);
  return { path: `/grading/quizzes/${id}`, questionId, submissionId };
}

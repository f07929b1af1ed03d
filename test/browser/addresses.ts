import type { Page } from 'playwright-core';
import { createFixtures, type GradingScene, grading, newGradingScene } from './gradingScene.ts';
import type { words } from './words.ts';

export type Visitor = 'nobody' | 'instructor' | 'student' | 'admin';

type Translate = ReturnType<typeof words>;

interface Address {
  visitor: Visitor;
  path(scene: GradingScene): string;
  /** Waits until the page shows what it is there for. */
  ready(page: Page, t: Translate, scene: GradingScene): Promise<void>;
  /** A request of the page that is refused. */
  refused?: readonly [status: number, path: RegExp];
}

const heading = (english: string) => (page: Page, t: Translate) =>
  page
    .getByRole('heading', { name: t(english), exact: true })
    .first()
    .waitFor();

/**
 * Every address of the application, a line each: a new page is in all tests of accessibility once it is here. The scene has a
 * quiz with a graded, a flagged and an ungraded submission.
 */
export const addresses: Address[] = [
  { visitor: 'nobody', path: () => '/login', ready: heading('Log in to Gradeway') },
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
    ready: heading('Nobody found'),
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
  { visitor: 'instructor', path: ({ path }) => `${path}/statistics`, ready: heading('Graders') },
  { visitor: 'instructor', path: () => '/no-such-page', ready: heading('This page does not exist') },
  { visitor: 'instructor', path: () => '/grading/quizzes/0', ready: heading('This page does not exist') },
  {
    visitor: 'instructor',
    path: () => '/grading/quizzes/1000000',
    ready: heading('This page does not exist'),
    refused: [404, /\/1000000\//],
  },
  { visitor: 'student', path: () => '/grading', ready: heading('This page is not for your account') },
];

export interface AddressScene {
  scene: GradingScene;
  people: Record<Exclude<Visitor, 'nobody'>, { email: string; password: string }>;
}

/** Data and people for all addresses. */
export async function newAddressScene(): Promise<AddressScene> {
  const fixtures = createFixtures();
  const [scene, student, admin] = await Promise.all([
    newGradingScene({ lastNames: ['Abel', 'Banach', 'Cauchy'] }),
    fixtures.newAccount(),
    fixtures.newAccount({ role: 'admin', first_name: 'Grace' }),
  ]);
  const [, second] = scene.submissions;
  const body = {
    selection: [scene.rubricItems[0]?.id],
    rubric_revision: scene.rubricRevision,
    comment: 'Nearly everything is there.',
  };
  await scene.grader.put(`${grading}/quizzes/submissions/${second?.id}`, body, { 'if-match': '*' });
  return { scene, people: { instructor: scene.grader, student, admin } };
}

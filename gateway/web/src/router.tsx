import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import * as consoleAddresses from './console/addresses.ts';
import { destinationAfterLogin, homeOf } from './session/afterLogin.ts';
import type { Role } from './shared/access/accessToken.ts';
import { session, usePerson } from './shared/access/currentSession.ts';
import { ApiError } from './shared/api/apiError.ts';
import { AppLayout, type NavigationLink } from './shared/layout/AppLayout.tsx';
import { ErrorState, Loading } from './shared/ui/states.tsx';

interface Context {
  /** When it is known who is logged in. Rejected if the gateway could not say. */
  started: Promise<void>;
}

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  // The gateway could not say who is logged in.
  errorComponent: ({ error }) => (
    <main>
      <ErrorState error={error} onRetry={() => location.reload()} isPage />
    </main>
  ),
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search): { next?: string } =>
    typeof search.next === 'string' ? { next: search.next } : {},
  beforeLoad: async ({ context, search }) => {
    await context.started;
    const state = session.state();
    if (state.status === 'in')
      throw redirect({ href: destinationAfterLogin(search.next, state.person.role) });
  },
  component: lazyRouteComponent(() => import('./session/LoginPage.tsx'), 'LoginPage'),
});

const links: Record<Role, NavigationLink[]> = {
  user: [
    { to: '/my', english: 'My work', isExact: true },
    { to: '/my/grades', english: 'Grades' },
  ],
  instructor: [{ to: '/grading', english: 'Grading' }],
  admin: [
    { to: '/grading', english: 'Grading' },
    { to: '/console', english: 'Console' },
  ],
};

function Inside() {
  const { role } = usePerson();
  return (
    <AppLayout links={links[role]}>
      <Outlet />
    </AppLayout>
  );
}

/** Everything that only people see who are logged in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ context, location }) => {
    await context.started;
    if (session.state().status !== 'out') return;
    const next = location.href === '/' ? undefined : location.href;
    throw redirect({ to: '/login', search: next === undefined ? {} : { next } });
  },
  component: Inside,
});

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: () => {
    const state = session.state();
    if ('person' in state) throw redirect({ href: homeOf(state.person.role) });
  },
});

/** Administrators and instructors. */
const graders = createRoute({
  getParentRoute: () => inside,
  id: 'graders',
  beforeLoad: () => {
    const state = session.state();
    if ('person' in state && state.person.role === 'user') throw new ApiError(403, 'Unauthorized Access');
  },
});

const grading = createRoute({
  getParentRoute: () => graders,
  path: '/grading',
  component: lazyRouteComponent(() => import('./grading/overview/GradingPage.tsx'), 'GradingPage'),
});

/** What is graded together: a quiz, or the assignment of a class. */
const item = createRoute({
  getParentRoute: () => graders,
  path: '/grading/$kind/$itemId',
  params: {
    parse: ({ kind, itemId }) => ({ kind: kind as 'quizzes' | 'homeworks', itemId: parseId(itemId) }),
    stringify: ({ kind, itemId }) => ({ kind, itemId: String(itemId) }),
  },
  beforeLoad: ({ params: { kind, itemId } }) => {
    if ((kind !== 'quizzes' && kind !== 'homeworks') || itemId === 0) throw notFound();
  },
});

const submissions = createRoute({
  getParentRoute: () => item,
  path: '/',
  validateSearch: (search): { status?: 'graded' | 'all'; search?: string } => ({
    ...(search.status === 'graded' || search.status === 'all' ? { status: search.status } : {}),
    ...(search.search === undefined || search.search === '' ? {} : { search: String(search.search) }),
  }),
  component: lazyRouteComponent(() => import('./grading/item/ItemPage.tsx'), 'ItemPage'),
});

const desk = createRoute({
  getParentRoute: () => item,
  path: '/submissions/$submissionId',
  params: {
    parse: ({ submissionId }) => ({ submissionId: parseId(submissionId) }),
    stringify: ({ submissionId }) => ({ submissionId: String(submissionId) }),
  },
  beforeLoad: ({ params }) => {
    if (params.submissionId === 0) throw notFound();
  },
  component: lazyRouteComponent(() => import('./grading/desk/DeskPage.tsx'), 'DeskPage'),
});

const rubric = createRoute({
  getParentRoute: () => item,
  path: '/rubric',
  component: lazyRouteComponent(() => import('./grading/rubric/RubricPage.tsx'), 'RubricPage'),
});

const statistics = createRoute({
  getParentRoute: () => item,
  path: '/statistics',
  component: lazyRouteComponent(() => import('./grading/statistics/StatisticsPage.tsx'), 'StatisticsPage'),
});

/** The pages of students. */
const students = createRoute({
  getParentRoute: () => inside,
  id: 'students',
  beforeLoad: () => {
    const state = session.state();
    if ('person' in state && state.person.role !== 'user') throw new ApiError(403, 'Unauthorized Access');
  },
  component: lazyRouteComponent(() => import('./student/StudentArea.tsx'), 'StudentArea'),
});

const myWork = createRoute({
  getParentRoute: () => students,
  path: '/my',
  component: lazyRouteComponent(() => import('./student/work/MyWorkPage.tsx'), 'MyWorkPage'),
});

const grades = createRoute({
  getParentRoute: () => students,
  path: '/my/grades',
  component: lazyRouteComponent(() => import('./student/grades/GradesPage.tsx'), 'GradesPage'),
});

const ownSubmission = createRoute({
  getParentRoute: () => students,
  path: '/my/submissions/$kind/$id',
  params: {
    parse: ({ kind, id }) => ({ kind: kind as 'quizzes' | 'homeworks', id: parseId(id) }),
    stringify: ({ kind, id }) => ({ kind, id: String(id) }),
  },
  beforeLoad: ({ params: { kind, id } }) => {
    if ((kind !== 'quizzes' && kind !== 'homeworks') || id === 0) throw notFound();
  },
  component: lazyRouteComponent(() => import('./student/submission/SubmissionPage.tsx'), 'SubmissionPage'),
});

/** Administrators. */
const admins = createRoute({
  getParentRoute: () => inside,
  id: 'admins',
  beforeLoad: () => {
    const state = session.state();
    if ('person' in state && state.person.role !== 'admin') throw new ApiError(403, 'Unauthorized Access');
  },
});

const administration = createRoute({
  getParentRoute: () => admins,
  path: '/console',
  component: lazyRouteComponent(() => import('./console/layout/ConsoleLayout.tsx'), 'ConsoleLayout'),
});

const overview = createRoute({
  getParentRoute: () => administration,
  path: '/',
  component: lazyRouteComponent(() => import('./console/overview/OverviewPage.tsx'), 'OverviewPage'),
});

const courses = createRoute({
  getParentRoute: () => administration,
  path: '/courses',
  validateSearch: consoleAddresses.listAddress,
  component: lazyRouteComponent(() => import('./console/courses/CoursesPage.tsx'), 'CoursesPage'),
});

const course = createRoute({
  getParentRoute: () => administration,
  path: '/courses/$courseId',
  params: {
    parse: ({ courseId }) => ({ courseId: parseId(courseId) }),
    stringify: ({ courseId }) => ({ courseId: String(courseId) }),
  },
  beforeLoad: ({ params }) => {
    if (params.courseId === 0) throw notFound();
  },
  validateSearch: consoleAddresses.courseAddress,
  component: lazyRouteComponent(() => import('./console/courses/CoursePage.tsx'), 'CoursePage'),
});

const users = createRoute({
  getParentRoute: () => administration,
  path: '/users',
  validateSearch: consoleAddresses.usersAddress,
  component: lazyRouteComponent(() => import('./console/users/UsersPage.tsx'), 'UsersPage'),
});

const user = createRoute({
  getParentRoute: () => administration,
  path: '/users/$userId',
  params: {
    parse: ({ userId }) => ({ userId: parseId(userId) }),
    stringify: ({ userId }) => ({ userId: String(userId) }),
  },
  beforeLoad: ({ params }) => {
    if (params.userId === 0) throw notFound();
  },
  component: lazyRouteComponent(() => import('./console/users/UserPage.tsx'), 'UserPage'),
});

const schoolImport = createRoute({
  getParentRoute: () => administration,
  path: '/import',
  component: lazyRouteComponent(() => import('./console/import/ImportPage.tsx'), 'ImportPage'),
});

const devices = createRoute({
  getParentRoute: () => administration,
  path: '/devices',
  validateSearch: consoleAddresses.devicesAddress,
  component: lazyRouteComponent(() => import('./console/devices/DevicesPage.tsx'), 'DevicesPage'),
});

const webhooks = createRoute({
  getParentRoute: () => administration,
  path: '/webhooks',
  validateSearch: consoleAddresses.listAddress,
  component: lazyRouteComponent(() => import('./console/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => administration,
  path: '/webhooks/$webhookId',
  params: {
    parse: ({ webhookId }) => ({ webhookId: parseId(webhookId) }),
    stringify: ({ webhookId }) => ({ webhookId: String(webhookId) }),
  },
  beforeLoad: ({ params }) => {
    if (params.webhookId === 0) throw notFound();
  },
  validateSearch: consoleAddresses.deliveriesAddress,
  component: lazyRouteComponent(() => import('./console/webhooks/WebhookPage.tsx'), 'WebhookPage'),
});

const audit = createRoute({
  getParentRoute: () => administration,
  path: '/audit',
  validateSearch: consoleAddresses.auditAddress,
  component: lazyRouteComponent(() => import('./console/audit/AuditPage.tsx'), 'AuditPage'),
});

const gradebook = createRoute({
  getParentRoute: () => administration,
  path: '/gradebook',
  validateSearch: consoleAddresses.gradebookAddress,
  component: lazyRouteComponent(() => import('./console/gradebook/GradebookPage.tsx'), 'GradebookPage'),
});

const NotFound = () => <ErrorState error={new ApiError(404, 'Not Found')} isPage />;

/** Every other address says so inside the application, with the way to the rest. */
const unknown = createRoute({ getParentRoute: () => inside, path: '$', component: NotFound });

/** 0 for what is no id: parsing must not fail, since the router would take it for a fault. */
const parseId = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    inside.addChildren([
      home,
      graders.addChildren([grading, item.addChildren([submissions, desk, rubric, statistics])]),
      students.addChildren([myWork, grades, ownSubmission]),
      admins.addChildren([
        administration.addChildren([
          ...([overview, courses, course, users, user, schoolImport, devices] as const),
          ...([webhooks, webhook, audit, gradebook] as const),
        ]),
      ]),
      unknown,
    ]),
  ]),
  context: { started: Promise.resolve() },
  scrollRestoration: true,
  defaultPendingComponent: Loading,
  defaultPendingMs: 300,
  defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} isPage />,
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { destinationAfterLogin, homeOf } from '../login/afterLogin.ts';
import { ApiError } from '../shared/api/apiError.ts';
import { AppLayout, type NavigationLink } from '../shared/layout/AppLayout.tsx';
import type { Role } from '../shared/session/accessToken.ts';
import { session, usePerson } from '../shared/session/currentSession.ts';
import { ErrorState } from '../shared/ui/states.tsx';

interface Context {
  /** Resolves once it is known who is logged in. Rejects if the gateway failed to respond. */
  started: Promise<void>;
}

export const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  // Shown when the gateway could not report who is logged in.
  errorComponent: ({ error }) => (
    <main>
      <ErrorState error={error} onRetry={() => location.reload()} isPage />
    </main>
  ),
});

const loginSearch = ['next', 'error', 'second_factor'] as const;

export const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search): Partial<Record<(typeof loginSearch)[number], string>> =>
    Object.fromEntries(
      loginSearch.map((name) => [name, search[name]]).filter(([, value]) => typeof value === 'string'),
    ),
  beforeLoad: async ({ context, search }) => {
    await context.started;
    const state = session.state();
    // Linking an identity fails while the user is logged in.
    if (state.status === 'in' && !search.error)
      throw redirect({ href: destinationAfterLogin(search.next, state.person.role) });
  },
  component: lazyRouteComponent(() => import('../login/LoginPage.tsx'), 'LoginPage'),
});

const links: Record<Role, NavigationLink[]> = {
  user: [
    { to: '/my', english: 'My work', isExact: true },
    { to: '/my/grades', english: 'Grades' },
  ],
  instructor: [
    { to: '/courses', english: 'Courses' },
    { to: '/grading', english: 'Grading' },
  ],
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

/** Everything that requires a login. */
export const inside = createRoute({
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

export const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: () => {
    const state = session.state();
    if ('person' in state) throw redirect({ href: homeOf(state.person.role) });
  },
});

/** The user's own account, for every role. */
export const account = createRoute({
  getParentRoute: () => inside,
  path: '/account',
  component: lazyRouteComponent(() => import('../account/AccountPage.tsx'), 'AccountPage'),
});

export const NotFound = () => <ErrorState error={new ApiError(404, 'Not Found')} isPage />;

/** Unknown URLs show "not found" within the application, so that the navigation stays available. */
export const unknown = createRoute({ getParentRoute: () => inside, path: '$', component: NotFound });

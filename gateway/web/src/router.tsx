import { createRouter } from '@tanstack/react-router';
import { consoleRoutes } from './routes/consoleRoutes.ts';
import { gradingRoutes } from './routes/gradingRoutes.ts';
import { account, home, inside, login, NotFound, root, unknown } from './routes/rootRoutes.tsx';
import { studentRoutes } from './routes/studentRoutes.ts';
import { teachingRoutes } from './routes/teachingRoutes.ts';
import { ErrorState, Loading } from './shared/ui/states.tsx';

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    inside.addChildren([home, account, teachingRoutes, gradingRoutes, studentRoutes, consoleRoutes, unknown]),
  ]),
  context: { started: Promise.resolve() },
  scrollRestoration: true,
  defaultPendingComponent: Loading,
  defaultPendingMs: 300,
  // By default the router shows the pending state for at least half a second, even if the page is ready sooner.
  defaultPendingMinMs: 0,
  defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} isPage />,
  defaultNotFoundComponent: NotFound,
});

/** Loads the code of the current URL's page while the gateway is asked who is logged in. */
export function preloadPage(): void {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  // The router tries again and shows any error.
  for (const route of routes) router.loadRouteChunk(route)?.catch(() => {});
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

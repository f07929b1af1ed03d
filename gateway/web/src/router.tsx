import { createRouter } from '@tanstack/react-router';
import { consoleRoutes } from './routes/consoleRoutes.ts';
import { gradingRoutes } from './routes/gradingRoutes.ts';
import { home, inside, login, NotFound, root, unknown } from './routes/rootRoutes.tsx';
import { studentRoutes } from './routes/studentRoutes.ts';
import { ErrorState, Loading } from './shared/ui/states.tsx';

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    inside.addChildren([home, gradingRoutes, studentRoutes, consoleRoutes, unknown]),
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

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as searchParams from '../console/searchParams.ts';
import { idParam } from './pathParams.ts';
import { requireRole } from './requireRole.ts';
import { inside } from './rootRoutes.tsx';

/** Routes for administrators. */
const admins = createRoute({
  getParentRoute: () => inside,
  id: 'admins',
  beforeLoad: requireRole('admin'),
});

const administration = createRoute({
  getParentRoute: () => admins,
  path: '/console',
  component: lazyRouteComponent(() => import('../console/layout/ConsoleLayout.tsx'), 'ConsoleLayout'),
});

const overview = createRoute({
  getParentRoute: () => administration,
  path: '/',
  component: lazyRouteComponent(() => import('../console/overview/OverviewPage.tsx'), 'OverviewPage'),
});

const courses = createRoute({
  getParentRoute: () => administration,
  path: '/courses',
  validateSearch: searchParams.listParams,
  component: lazyRouteComponent(() => import('../console/courses/CoursesPage.tsx'), 'CoursesPage'),
});

const course = createRoute({
  getParentRoute: () => administration,
  path: '/courses/$courseId',
  ...idParam('courseId'),
  validateSearch: searchParams.courseParams,
  component: lazyRouteComponent(() => import('../console/courses/CoursePage.tsx'), 'CoursePage'),
});

const users = createRoute({
  getParentRoute: () => administration,
  path: '/users',
  validateSearch: searchParams.usersParams,
  component: lazyRouteComponent(() => import('../console/users/UsersPage.tsx'), 'UsersPage'),
});

const user = createRoute({
  getParentRoute: () => administration,
  path: '/users/$userId',
  ...idParam('userId'),
  component: lazyRouteComponent(() => import('../console/users/UserPage.tsx'), 'UserPage'),
});

const schoolImport = createRoute({
  getParentRoute: () => administration,
  path: '/import',
  component: lazyRouteComponent(() => import('../console/import/ImportPage.tsx'), 'ImportPage'),
});

const devices = createRoute({
  getParentRoute: () => administration,
  path: '/devices',
  validateSearch: searchParams.devicesParams,
  component: lazyRouteComponent(() => import('../console/devices/DevicesPage.tsx'), 'DevicesPage'),
});

const webhooks = createRoute({
  getParentRoute: () => administration,
  path: '/webhooks',
  validateSearch: searchParams.listParams,
  component: lazyRouteComponent(() => import('../console/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => administration,
  path: '/webhooks/$webhookId',
  ...idParam('webhookId'),
  validateSearch: searchParams.deliveriesParams,
  component: lazyRouteComponent(() => import('../console/webhooks/WebhookPage.tsx'), 'WebhookPage'),
});

const serviceAccounts = createRoute({
  getParentRoute: () => administration,
  path: '/service-accounts',
  component: lazyRouteComponent(
    () => import('../console/serviceAccounts/ServiceAccountsPage.tsx'),
    'ServiceAccountsPage',
  ),
});

const providers = createRoute({
  getParentRoute: () => administration,
  path: '/providers',
  component: lazyRouteComponent(() => import('../console/providers/ProvidersPage.tsx'), 'ProvidersPage'),
});

const audit = createRoute({
  getParentRoute: () => administration,
  path: '/audit',
  validateSearch: searchParams.auditParams,
  component: lazyRouteComponent(() => import('../console/audit/AuditPage.tsx'), 'AuditPage'),
});

const gradebook = createRoute({
  getParentRoute: () => administration,
  path: '/gradebook',
  validateSearch: searchParams.gradebookParams,
  component: lazyRouteComponent(() => import('../console/gradebook/GradebookPage.tsx'), 'GradebookPage'),
});

export const consoleRoutes = admins.addChildren([
  administration.addChildren([
    ...([overview, courses, course, users, user, schoolImport, devices] as const),
    ...([webhooks, webhook, serviceAccounts, providers, audit, gradebook] as const),
  ]),
]);

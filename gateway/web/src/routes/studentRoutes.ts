import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { kindAndIdParams } from './pathParams.ts';
import { requireRole } from './requireRole.ts';
import { inside } from './rootRoutes.tsx';

/** Routes for students. */
const students = createRoute({
  getParentRoute: () => inside,
  id: 'students',
  beforeLoad: requireRole('user'),
  component: lazyRouteComponent(() => import('../student/StudentArea.tsx'), 'StudentArea'),
});

const myWork = createRoute({
  getParentRoute: () => students,
  path: '/my',
  component: lazyRouteComponent(() => import('../student/work/MyWorkPage.tsx'), 'MyWorkPage'),
});

const grades = createRoute({
  getParentRoute: () => students,
  path: '/my/grades',
  component: lazyRouteComponent(() => import('../student/grades/GradesPage.tsx'), 'GradesPage'),
});

const ownSubmission = createRoute({
  getParentRoute: () => students,
  path: '/my/submissions/$kind/$id',
  ...kindAndIdParams('id'),
  component: lazyRouteComponent(() => import('../student/submission/SubmissionPage.tsx'), 'SubmissionPage'),
});

export const studentRoutes = students.addChildren([myWork, grades, ownSubmission]);

import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { parseId } from './parseId.ts';
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
  params: {
    parse: ({ kind, id }) => ({ kind: kind as 'quizzes' | 'homeworks', id: parseId(id) }),
    stringify: ({ kind, id }) => ({ kind, id: String(id) }),
  },
  beforeLoad: ({ params: { kind, id } }) => {
    if ((kind !== 'quizzes' && kind !== 'homeworks') || id === 0) throw notFound();
  },
  component: lazyRouteComponent(() => import('../student/submission/SubmissionPage.tsx'), 'SubmissionPage'),
});

export const studentRoutes = students.addChildren([myWork, grades, ownSubmission]);

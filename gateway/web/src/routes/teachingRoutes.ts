import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listParams } from '../console/searchParams.ts';
import { idParam } from './pathParams.ts';
import { requireRole } from './requireRole.ts';
import { inside } from './rootRoutes.tsx';

/** Routes for the teachers and graders of courses. */
const teachers = createRoute({
  getParentRoute: () => inside,
  id: 'teachers',
  beforeLoad: requireRole('admin', 'instructor'),
});

const courses = createRoute({
  getParentRoute: () => teachers,
  path: '/courses',
  component: lazyRouteComponent(() => import('../teaching/overview/CoursesPage.tsx'), 'CoursesPage'),
});

const course = createRoute({
  getParentRoute: () => teachers,
  path: '/courses/$courseId',
  ...idParam('courseId'),
  component: lazyRouteComponent(() => import('../teaching/course/CourseLayout.tsx'), 'CourseLayout'),
});

const work = createRoute({
  getParentRoute: () => course,
  path: '/',
  component: lazyRouteComponent(() => import('../teaching/course/WorkPage.tsx'), 'WorkPage'),
});

const students = createRoute({
  getParentRoute: () => course,
  path: '/students',
  validateSearch: listParams,
  component: lazyRouteComponent(() => import('../teaching/course/StudentsPage.tsx'), 'StudentsPage'),
});

const gradebook = createRoute({
  getParentRoute: () => course,
  path: '/gradebook',
  validateSearch: listParams,
  component: lazyRouteComponent(() => import('../teaching/gradebook/GradebookPage.tsx'), 'GradebookPage'),
});

const team = createRoute({
  getParentRoute: () => course,
  path: '/team',
  validateSearch: listParams,
  component: lazyRouteComponent(() => import('../teaching/course/TeamPage.tsx'), 'TeamPage'),
});

export const teachingRoutes = teachers.addChildren([
  courses,
  course.addChildren([work, students, gradebook, team]),
]);

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { StudentState } from '../grading/everyone/studentState.ts';
import { idParam, kindAndIdParams } from './pathParams.ts';
import { requireRole } from './requireRole.ts';
import { inside } from './rootRoutes.tsx';

/** The routes are part of every first load, so the page that uses the search parameters checks them. */
const checkedByPage = <Search>(search: Record<string, unknown>) => search as Search;

/** Routes for administrators and instructors. */
const graders = createRoute({
  getParentRoute: () => inside,
  id: 'graders',
  beforeLoad: requireRole('admin', 'instructor'),
});

const grading = createRoute({
  getParentRoute: () => graders,
  path: '/grading',
  component: lazyRouteComponent(() => import('../grading/overview/GradingPage.tsx'), 'GradingPage'),
});

/** The item to grade: a quiz, or the assignment of a class. */
const item = createRoute({
  getParentRoute: () => graders,
  path: '/grading/$kind/$itemId',
  ...kindAndIdParams('itemId'),
});

/** The tabs of the item, below its title and its state. The desk has none. */
const tabs = createRoute({
  getParentRoute: () => item,
  id: 'tabs',
  component: lazyRouteComponent(() => import('../grading/item/ItemLayout.tsx'), 'ItemLayout'),
});

const submissions = createRoute({
  getParentRoute: () => tabs,
  path: '/',
  validateSearch: checkedByPage<{ status?: 'graded' | 'all'; search?: string }>,
  component: lazyRouteComponent(() => import('../grading/item/ItemPage.tsx'), 'ItemPage'),
});

const desk = createRoute({
  getParentRoute: () => item,
  path: '/submissions/$submissionId',
  ...idParam('submissionId'),
  validateSearch: checkedByPage<{ question?: number }>,
  component: lazyRouteComponent(() => import('../grading/desk/DeskPage.tsx'), 'DeskPage'),
});

const everyone = createRoute({
  getParentRoute: () => tabs,
  path: '/everyone',
  validateSearch: checkedByPage<{ state?: StudentState; search?: string }>,
  component: lazyRouteComponent(() => import('../grading/everyone/EveryonePage.tsx'), 'EveryonePage'),
});

const settings = createRoute({
  getParentRoute: () => tabs,
  path: '/settings',
  component: lazyRouteComponent(() => import('../grading/settings/SettingsPage.tsx'), 'SettingsPage'),
});

const reviews = createRoute({
  getParentRoute: () => tabs,
  path: '/reviews',
  validateSearch: checkedByPage<{ state?: 'closed' | 'all'; page?: number }>,
  component: lazyRouteComponent(() => import('../grading/reviews/ReviewsPage.tsx'), 'ReviewsPage'),
});

const rubric = createRoute({
  getParentRoute: () => tabs,
  path: '/rubric',
  component: lazyRouteComponent(() => import('../grading/rubric/RubricPage.tsx'), 'RubricPage'),
});

const questions = createRoute({
  getParentRoute: () => tabs,
  path: '/questions',
  component: lazyRouteComponent(() => import('../grading/questions/QuestionsPage.tsx'), 'QuestionsPage'),
});

const questionRubric = createRoute({
  getParentRoute: () => tabs,
  path: '/questions/$questionId/rubric',
  ...idParam('questionId'),
  component: lazyRouteComponent(
    () => import('../grading/questions/QuestionRubricPage.tsx'),
    'QuestionRubricPage',
  ),
});

const statistics = createRoute({
  getParentRoute: () => tabs,
  path: '/statistics',
  component: lazyRouteComponent(() => import('../grading/statistics/StatisticsPage.tsx'), 'StatisticsPage'),
});

export const gradingRoutes = graders.addChildren([
  grading,
  item.addChildren([
    desk,
    tabs.addChildren([
      submissions,
      everyone,
      reviews,
      questions,
      questionRubric,
      rubric,
      statistics,
      settings,
    ]),
  ]),
]);

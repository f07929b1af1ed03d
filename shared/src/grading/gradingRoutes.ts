import { Router } from 'express';
import { requireRoleInCourses } from '../auth/authenticate.ts';
import { graderRoles } from '../auth/roles.ts';
import { allowanceRoutes } from '../items/allowanceRoutes.ts';
import { everyoneRoutes } from '../items/everyoneRoutes.ts';
import { latenessRoutes } from '../items/latenessRoutes.ts';
import { releaseRoutes } from '../items/releaseRoutes.ts';
import { answerRoutes } from '../questions/answers/answerRoutes.ts';
import { progressRoutes } from '../questions/answers/progressRoutes.ts';
import { groupRoutes } from '../questions/groups/groupRoutes.ts';
import { outlineRoutes } from '../questions/outline/outlineRoutes.ts';
import { pagesRoutes } from '../questions/pages/pagesRoutes.ts';
import { reviewRoutes } from '../questions/reviews/reviewRoutes.ts';
import type { GraderDependencies } from './dependencies.ts';
import { gradesFileRoutes } from './gradesFile/gradesFileRoutes.ts';
import { itemRoutes } from './itemRoutes.ts';
import { rubricRoutes } from './rubricRoutes.ts';
import { submissionRoutes } from './submissionRoutes.ts';

/** Routes for graders: administrators, and instructors in their own courses. */
export function gradingRoutes(dependencies: GraderDependencies): Router {
  const grader = requireRoleInCourses(dependencies.verify, graderRoles);
  const router = Router();
  const all = [
    itemRoutes,
    submissionRoutes,
    gradesFileRoutes,
    rubricRoutes,
    outlineRoutes,
    answerRoutes,
    progressRoutes,
    releaseRoutes,
    allowanceRoutes,
    latenessRoutes,
    everyoneRoutes,
    groupRoutes,
    pagesRoutes,
    reviewRoutes,
  ];
  for (const routes of all) router.use(routes(dependencies, grader));
  return router;
}

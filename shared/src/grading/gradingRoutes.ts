import { Router } from 'express';
import { requireRole } from '../auth/authenticate.ts';
import { releaseRoutes } from '../items/releaseRoutes.ts';
import type { GraderDependencies } from './dependencies.ts';
import { itemRoutes } from './itemRoutes.ts';
import { rubricRoutes } from './rubricRoutes.ts';
import { submissionRoutes } from './submissionRoutes.ts';

/** Routes for graders: administrators, and instructors in their own courses. */
export function gradingRoutes(dependencies: GraderDependencies): Router {
  const grader = requireRole(dependencies.verify, ['instructor', 'admin']);
  const router = Router();
  for (const routes of [itemRoutes, submissionRoutes, rubricRoutes, releaseRoutes])
    router.use(routes(dependencies, grader));
  return router;
}

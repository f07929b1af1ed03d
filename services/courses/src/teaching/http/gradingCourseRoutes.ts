import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { linkedList, longPage, readPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { type RequestHandler, Router } from 'express';
import { courseLists } from '../../http/courseLists.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import { countedCourses } from '../domain/countedCourses.ts';
import { graderRoles, gradesEveryCourse } from '../domain/grader.ts';
import { requireMayGrade } from '../domain/mayGrade.ts';
import { gradingCourseView } from './serializers.ts';

/** The courses of a grader, with the students and gradebooks that administrators can also read. */
export function gradingCourseRoutes(dependencies: Dependencies, teaching: TeachingDependencies): Router {
  const { publicUrl, log } = dependencies;
  const { gradingCourses, submissionCounts } = teaching;
  const router = Router();
  const grader = requireRole(dependencies.verify, graderRoles);
  const { sendStudents, sendGradebook } = courseLists(dependencies);

  // Before the query is read: a course that the grader does not teach is 404 whatever else is wrong.
  const taught: RequestHandler = async (req, res, next) => {
    const courseId = readId(req.params.course_id);
    await requireMayGrade({ ...dependencies, ...teaching }, principalOf(res), courseId);
    next();
  };

  router.get('/api/v3/grading/courses', grader, async (req, res) => {
    const page = readPage(req.query, longPage);
    const principal = principalOf(res);
    const listed = gradesEveryCourse(principal)
      ? await gradingCourses.pageOfAll(page)
      : await gradingCourses.pageOfInstructor(principal.userId, page);
    const counted = await countedCourses({ submissionCounts, log }, listed.rows);
    const items = counted.map(gradingCourseView);
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.get('/api/v3/grading/courses/:course_id/students', grader, taught, (req, res) =>
    sendStudents(req, res, readId(req.params.course_id)),
  );

  router.get('/api/v3/grading/courses/:course_id/gradebook', grader, taught, (req, res) =>
    sendGradebook(req, res, readId(req.params.course_id)),
  );

  return router;
}

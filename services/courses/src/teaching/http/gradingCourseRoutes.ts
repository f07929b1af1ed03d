import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { linkedList, longPage, readPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { type RequestHandler, Router } from 'express';
import type { ServiceDependencies } from '../../dependencies.ts';
import { courseLists } from '../../http/courseLists.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import { addSubmissionCounts } from '../domain/addSubmissionCounts.ts';
import { graderRoles, gradesEveryCourse } from '../domain/grader.ts';
import { requireMayGrade } from '../domain/mayGrade.ts';
import { gradingCourseView } from './serializers.ts';

/** Routes for a grader's courses, with the students and gradebooks that administrators also read. */
export function gradingCourseRoutes(
  dependencies: ServiceDependencies,
  teaching: TeachingDependencies,
): Router {
  const { publicUrl, log } = dependencies;
  const { gradingCourses, submissionCounts } = teaching;
  const router = Router();
  const grader = requireRole(dependencies.verify, graderRoles);
  const { sendStudents, sendGradebook } = courseLists(dependencies);

  // Before the query is parsed, so that a course that the grader does not teach is a 404 whatever else is wrong.
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
    const counted = await addSubmissionCounts({ submissionCounts, log }, listed.rows);
    const items = counted.map(gradingCourseView);
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.get('/api/v3/grading/courses/:course_id/students', grader, taught, (req, res) =>
    sendStudents(req, res, readId(req.params.course_id)),
  );

  router.get('/api/v3/grading/courses/:course_id/gradebook', grader, taught, (req, res) =>
    sendGradebook(req, res, { courseId: readId(req.params.course_id), hidesAnonymous: true }),
  );

  return router;
}

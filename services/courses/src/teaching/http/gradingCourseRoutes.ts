import { principalOf, requireRoleInCourses } from '@gradeway/shared/auth/authenticate';
import { limitOf } from '@gradeway/shared/auth/courseLimit';
import { graderRoles } from '@gradeway/shared/auth/roles';
import { linkedList, longPage, readPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { Router } from 'express';
import type { ServiceDependencies } from '../../dependencies.ts';
import { courseLists } from '../../http/courseLists.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import { addSubmissionCounts } from '../domain/addSubmissionCounts.ts';
import { gradesEveryCourse } from '../domain/grader.ts';
import { courseGuards } from './courseGuards.ts';
import { gradingCourseView } from './serializers.ts';

/** Routes for a grader's courses, with the students and gradebooks that administrators also read. */
export function gradingCourseRoutes(
  dependencies: ServiceDependencies,
  teaching: TeachingDependencies,
): Router {
  const { publicUrl, log } = dependencies;
  const { gradingCourses, submissionCounts } = teaching;
  const router = Router();
  const signedIn = requireRoleInCourses(dependencies.verify, graderRoles);
  const { grader } = courseGuards(dependencies, teaching);
  const { sendStudents, sendGradebook } = courseLists(dependencies);

  router.get('/api/v3/grading/courses', signedIn, async (req, res) => {
    const page = readPage(req.query, longPage);
    const principal = principalOf(res);
    const limit = limitOf(principal);
    const listed = gradesEveryCourse(principal)
      ? await gradingCourses.pageOfAll(page, limit)
      : await gradingCourses.pageOfInstructor(principal.userId, page, limit);
    const counted = await addSubmissionCounts({ submissionCounts, log }, listed.rows);
    const items = counted.map(gradingCourseView);
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.get('/api/v3/grading/courses/:course_id/students', ...grader, (req, res) =>
    sendStudents(req, res, readId(req.params.course_id)),
  );

  router.get('/api/v3/grading/courses/:course_id/gradebook', ...grader, (req, res) =>
    sendGradebook(req, res, { courseId: readId(req.params.course_id), hidesAnonymous: true }),
  );

  return router;
}

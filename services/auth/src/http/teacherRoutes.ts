import { principalOf, requireRoleInCourses } from '@gradeway/shared/auth/authenticate';
import { limitOf } from '@gradeway/shared/auth/courseLimit';
import { graderRoles } from '@gradeway/shared/auth/roles';
import { linkedList, longPage, readPage } from '@gradeway/shared/http/pagination';
import { parseInput } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import { requireTeacher } from '../domain/requireTeacher.ts';
import type { Dependencies } from './dependencies.ts';
import { instructorFilter } from './schemas.ts';
import { instructorView } from './serializers.ts';

/** Routes for teachers, who look up the accounts of their colleagues. */
export function teacherRoutes(dependencies: Dependencies): Router {
  const { users, courses, publicUrl } = dependencies;
  const router = Router();
  const grader = requireRoleInCourses(dependencies.verifyToken, graderRoles);

  router.get('/api/v3/grading/instructors', grader, async (req, res) => {
    const principal = principalOf(res);
    await requireTeacher(dependencies, principal);
    const page = readPage(req.query, longPage);
    const { search } = parseInput(instructorFilter, req.query);
    const courseIds = limitOf(principal);
    const ids = courseIds && (await courses.peopleOf(courseIds));
    const { rows, total } = await users.pageOfInstructors({ search, ids }, page);
    res.json(linkedList({ url: publicUrl.of(req), page, items: rows.map(instructorView), total }));
  });

  return router;
}

import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
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
  const { users, publicUrl } = dependencies;
  const router = Router();
  const grader = requireRole(dependencies.verifyToken, graderRoles);

  router.get('/api/v3/grading/instructors', grader, async (req, res) => {
    await requireTeacher(dependencies, principalOf(res));
    const page = readPage(req.query, longPage);
    const { search } = parseInput(instructorFilter, req.query);
    const { rows, total } = await users.pageOfInstructors(search, page);
    res.json(linkedList({ url: publicUrl.of(req), page, items: rows.map(instructorView), total }));
  });

  return router;
}

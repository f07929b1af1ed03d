import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { linkedList, longPage, readPage, standardPage } from '@gradeway/shared/http/pagination';
import { Router } from 'express';
import type { ServiceDependencies } from '../dependencies.ts';
import { ownGradeView } from './serializers.ts';

/** Routes for students' own courses and grades. */
export function studentRoutes(dependencies: ServiceDependencies): Router {
  const { enrollments, ownGrades, clock, publicUrl } = dependencies;
  const router = Router();
  const student = requireRole(dependencies.verify, ['user']);

  router.get('/api/v3/courses', student, async (req, res) => {
    const page = readPage(req.query, standardPage);
    const { courses: items, total } = await enrollments.pageOfUser(principalOf(res).userId, page);
    res.json(linkedList({ url: publicUrl.of(req), page, items, total }));
  });

  router.get('/api/v3/grades', student, async (req, res) => {
    const page = readPage(req.query, longPage);
    const listed = await ownGrades.page(principalOf(res).userId, page);
    const items = listed.grades.map((grade) => ownGradeView(grade, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  return router;
}

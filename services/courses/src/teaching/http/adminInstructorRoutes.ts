import { requireRole } from '@gradeway/shared/auth/authenticate';
import { notFound } from '@gradeway/shared/errors/appError';
import { linkedList, longPage, readPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { Router } from 'express';
import type { Dependencies } from '../../http/dependencies.ts';
import { courseStudentView } from '../../http/serializers.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import { assignInstructor } from '../domain/assignInstructor.ts';
import { removeInstructor } from '../domain/removeInstructor.ts';

/** The instructors of a course, for administrators. */
export function adminInstructorRoutes(
  dependencies: Dependencies,
  { instructors }: TeachingDependencies,
): Router {
  const { courses, publicUrl } = dependencies;
  const router = Router();
  const admin = requireRole(dependencies.verify, ['admin']);

  router.get('/api/v3/admin/courses/:course_id/instructors', admin, async (req, res) => {
    const courseId = readId(req.params.course_id);
    if (!(await courses.find(courseId))) throw notFound();
    const page = readPage(req.query, longPage);
    const listed = await instructors.pageOfCourse(courseId, page);
    const items = listed.rows.map(courseStudentView);
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.put('/api/v3/admin/courses/:course_id/instructors/:user_id', admin, async (req, res) => {
    const [courseId, userId] = [readId(req.params.course_id), readId(req.params.user_id)];
    await assignInstructor({ ...dependencies, instructors }, { courseId, userId });
    res.json({ data: { course_id: courseId, user_id: userId } });
  });

  router.delete('/api/v3/admin/courses/:course_id/instructors/:user_id', admin, async (req, res) => {
    const [courseId, userId] = [readId(req.params.course_id), readId(req.params.user_id)];
    await removeInstructor({ ...dependencies, instructors }, { courseId, userId });
    res.status(204).end();
  });

  return router;
}

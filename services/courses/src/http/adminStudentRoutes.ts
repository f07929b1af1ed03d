import { requireRole } from '@gradeway/shared/auth/authenticate';
import { notFound } from '@gradeway/shared/errors/appError';
import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { linkedList, readPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { streamText } from '@gradeway/shared/http/streamText';
import { parseInput } from '@gradeway/shared/http/validation';
import { type Response, Router } from 'express';
import { endEnrollment } from '../domain/endEnrollment.ts';
import { enroll } from '../domain/enroll.ts';
import { gradebookCsv } from '../export/domain/gradebookCsv.ts';
import { recordExport } from '../export/domain/recordExport.ts';
import type { Dependencies } from './dependencies.ts';
import { enrollmentFields, gradebookQuery, studentQuery } from './schemas.ts';
import { courseStudentView, gradebookRowView } from './serializers.ts';

const listPage = { size: 50, largest: 200 };

/** Students, enrollments and the gradebook of a course, for administrators. */
export function adminStudentRoutes(dependencies: Dependencies): Router {
  const { courses, students, grades, clock, publicUrl } = dependencies;
  const router = Router();
  const admin = requireRole(dependencies.verify, ['admin']);

  router.get('/api/v3/admin/courses/:course_id/students', admin, async (req, res) => {
    const courseId = readId(req.params.course_id);
    const page = readPage(req.query, listPage);
    const { search } = parseInput(studentQuery, req.query);
    const listed = await students.pageOfCourse(courseId, page, search);
    if (!listed) throw notFound();
    const items = listed.students.map(courseStudentView);
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.put('/api/v3/admin/courses/:course_id/students/:user_id', admin, jsonBody, async (req, res) => {
    const courseId = readId(req.params.course_id);
    const userId = readId(req.params.user_id);
    const { paid } = parseInput(enrollmentFields, req.body);
    const enrollment = await enroll(dependencies, { courseId, userId, paid });
    res.json({ data: { course_id: courseId, user_id: userId, paid: enrollment.paid } });
  });

  router.delete('/api/v3/admin/courses/:course_id/students/:user_id', admin, async (req, res) => {
    await endEnrollment(dependencies, readId(req.params.course_id), readId(req.params.user_id));
    res.status(204).end();
  });

  router.get('/api/v3/admin/courses/:course_id/gradebook', admin, async (req, res) => {
    const courseId = readId(req.params.course_id);
    const { format } = parseInput(gradebookQuery, req.query);
    if (format === 'csv') {
      await sendGradebook(res, courseId);
      return;
    }
    const page = readPage(req.query, listPage);
    if (!(await courses.find(courseId))) throw notFound();
    const listed = await grades.pageOfCourse(courseId, page);
    const items = listed.rows.map((row) => gradebookRowView(row, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  async function sendGradebook(res: Response, courseId: number): Promise<void> {
    if (!(await courses.find(courseId))) throw notFound();
    await recordExport(dependencies, 'gradebook.exported', courseId);
    res.set({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="gradebook-${courseId}.csv"`,
      'X-Content-Type-Options': 'nosniff',
    });
    await streamText(res, gradebookCsv(dependencies, courseId));
  }

  return router;
}

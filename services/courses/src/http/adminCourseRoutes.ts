import { principalOf, requireRole, requireRoleInCourses } from '@gradeway/shared/auth/authenticate';
import { limitOf } from '@gradeway/shared/auth/courseLimit';
import { notFound } from '@gradeway/shared/errors/appError';
import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { linkedList, readPage, standardPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import type { ServiceDependencies } from '../dependencies.ts';
import { changeCourse } from '../domain/changeCourse.ts';
import { createCourse } from '../domain/createCourse.ts';
import { deleteCourse } from '../domain/deleteCourse.ts';
import { adminGuards } from './adminGuards.ts';
import { classHandlers } from './classHandlers.ts';
import { courseChanges, courseFields } from './schemas.ts';
import { courseView } from './serializers.ts';

/** Routes for courses and classes, for administrators. */
export function adminCourseRoutes(dependencies: ServiceDependencies): Router {
  const { verify, courses, clock, publicUrl } = dependencies;
  const classes = classHandlers(dependencies);
  const router = Router();
  const { ofCourse, ofClass } = adminGuards(dependencies);

  router.get('/api/v3/admin/courses', requireRoleInCourses(verify, ['admin']), async (req, res) => {
    const page = readPage(req.query, standardPage);
    const listed = await courses.page(page, limitOf(principalOf(res)));
    const items = listed.courses.map((course) => courseView(course, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  // A new course would be outside the token's limit.
  router.post('/api/v3/admin/courses', requireRole(verify, ['admin']), jsonBody, async (req, res) => {
    const course = await createCourse(dependencies, parseInput(courseFields, req.body));
    res.status(201).json({ data: courseView(course, clock) });
  });

  router.get('/api/v3/admin/courses/:course_id', ...ofCourse, async (req, res) => {
    const course = await courses.find(readId(req.params.course_id));
    if (!course) throw notFound();
    res.json({ data: courseView(course, clock) });
  });

  router.patch('/api/v3/admin/courses/:course_id', ...ofCourse, jsonBody, async (req, res) => {
    const id = readId(req.params.course_id);
    const course = await changeCourse(dependencies, id, parseInput(courseChanges, req.body));
    res.json({ data: courseView(course, clock) });
  });

  router.delete('/api/v3/admin/courses/:course_id', ...ofCourse, async (req, res) => {
    await deleteCourse(dependencies, readId(req.params.course_id));
    res.status(204).end();
  });

  router.get('/api/v3/admin/courses/:course_id/classes', ...ofCourse, classes.list);
  router.post('/api/v3/admin/courses/:course_id/classes', ...ofCourse, jsonBody, classes.create);
  router.patch('/api/v3/admin/classes/:class_id', ...ofClass, jsonBody, classes.change);
  router.delete('/api/v3/admin/classes/:class_id', ...ofClass, classes.remove);

  return router;
}

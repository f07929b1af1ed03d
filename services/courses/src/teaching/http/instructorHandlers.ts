import { principalOf } from '@gradeway/shared/auth/authenticate';
import { notFound } from '@gradeway/shared/errors/appError';
import { linkedList, longPage, readPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput } from '@gradeway/shared/http/validation';
import type { Request, Response } from 'express';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import { assignInstructor } from '../domain/assignInstructor.ts';
import { removeInstructor } from '../domain/removeInstructor.ts';
import { instructorFields } from './schemas.ts';
import { instructorView } from './serializers.ts';

/** Handles requests about the instructors of a course, for administrators and for the course's teachers. */
export function instructorHandlers(
  dependencies: ServiceDependencies,
  { instructors }: Pick<TeachingDependencies, 'instructors'>,
) {
  const { courses, publicUrl } = dependencies;

  async function list(req: Request, res: Response): Promise<void> {
    const courseId = readId(req.params.course_id);
    if (!(await courses.find(courseId))) throw notFound();
    const page = readPage(req.query, longPage);
    const listed = await instructors.pageOfCourse(courseId, page);
    const items = listed.rows.map(instructorView);
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  }

  async function assign(req: Request, res: Response): Promise<void> {
    const [courseId, userId] = [readId(req.params.course_id), readId(req.params.user_id)];
    const readRole = () => parseInput(instructorFields, req.body).role;
    const assignment = { courseId, userId, readRole, by: principalOf(res) };
    const role = await assignInstructor({ ...dependencies, instructors }, assignment);
    res.json({ data: { course_id: courseId, user_id: userId, role } });
  }

  async function remove(req: Request, res: Response): Promise<void> {
    const [courseId, userId] = [readId(req.params.course_id), readId(req.params.user_id)];
    await removeInstructor({ ...dependencies, instructors }, { courseId, userId }, principalOf(res));
    res.status(204).end();
  }

  return { list, assign, remove };
}

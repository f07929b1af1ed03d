import { notFound } from '@gradeway/shared/errors/appError';
import { linkedList, readPage, standardPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput } from '@gradeway/shared/http/validation';
import type { Request, Response } from 'express';
import type { ServiceDependencies } from '../dependencies.ts';
import { changeClass } from '../domain/changeClass.ts';
import { createClass } from '../domain/createClass.ts';
import { deleteClass } from '../domain/deleteClass.ts';
import { classChanges, classFields } from './schemas.ts';
import { classView } from './serializers.ts';

/** Handles requests about the classes of a course, for administrators and for the course's instructors. */
export function classHandlers(dependencies: ServiceDependencies) {
  const { courses, classes, clock, publicUrl } = dependencies;

  async function list(req: Request, res: Response): Promise<void> {
    const courseId = readId(req.params.course_id);
    const page = readPage(req.query, standardPage);
    if (!(await courses.find(courseId))) throw notFound();
    const listed = await classes.pageOfCourse(courseId, page);
    const items = listed.classes.map((each) => classView(each, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  }

  async function create(req: Request, res: Response): Promise<void> {
    const courseId = readId(req.params.course_id);
    const created = await createClass(dependencies, courseId, parseInput(classFields, req.body));
    res.status(201).json({ data: classView(created, clock) });
  }

  async function change(req: Request, res: Response): Promise<void> {
    const id = readId(req.params.class_id);
    const changed = await changeClass(dependencies, id, parseInput(classChanges, req.body));
    res.json({ data: classView(changed, clock) });
  }

  async function remove(req: Request, res: Response): Promise<void> {
    await deleteClass(dependencies, readId(req.params.class_id));
    res.status(204).end();
  }

  return { list, create, change, remove };
}

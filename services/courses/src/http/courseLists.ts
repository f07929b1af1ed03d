import { principalOf } from '@gradeway/shared/auth/authenticate';
import { sendCsv } from '@gradeway/shared/csv/sendCsv';
import { notFound } from '@gradeway/shared/errors/appError';
import { linkedList, longPage, readPage } from '@gradeway/shared/http/pagination';
import { parseInput } from '@gradeway/shared/http/validation';
import type { Request, Response } from 'express';
import { gradebookCsv } from '../export/domain/gradebookCsv.ts';
import { recordExport } from '../export/domain/recordExport.ts';
import type { Dependencies } from './dependencies.ts';
import { gradebookQuery, studentQuery } from './schemas.ts';
import { courseStudentView, gradebookRowView } from './serializers.ts';

/** The lists of a course that administrators and its graders read alike. They answer 404 for an unknown course. */
export function courseLists(dependencies: Dependencies) {
  const { courses, students, grades, clock, publicUrl, requireReauthentication } = dependencies;

  /** The students of a course (specification 8). */
  async function sendStudents(req: Request, res: Response, courseId: number): Promise<void> {
    const page = readPage(req.query, longPage);
    const { search } = parseInput(studentQuery, req.query);
    const listed = await students.pageOfCourse(courseId, page, search);
    if (!listed) throw notFound();
    const items = listed.students.map(courseStudentView);
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  }

  /** The gradebook of a course as a page, or with `?format=csv` as a file. */
  async function sendGradebook(req: Request, res: Response, courseId: number): Promise<void> {
    const { format, bom } = parseInput(gradebookQuery, req.query);
    if (format === 'csv') return sendGradebookFile(res, courseId, bom);
    const page = readPage(req.query, longPage);
    if (!(await courses.find(courseId))) throw notFound();
    const listed = await grades.pageOfCourse(courseId, page);
    const items = listed.rows.map((row) => gradebookRowView(row, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  }

  async function sendGradebookFile(res: Response, courseId: number, bom: boolean): Promise<void> {
    if (!(await courses.find(courseId))) throw notFound();
    await requireReauthentication(principalOf(res));
    await recordExport(dependencies, 'gradebook.exported', courseId);
    const fileName = `gradebook-${courseId}.csv`;
    await sendCsv(res, { fileName, bom }, gradebookCsv(dependencies, courseId));
  }

  return { sendStudents, sendGradebook };
}

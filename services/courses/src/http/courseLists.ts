import { notFound } from '@gradeway/shared/errors/appError';
import { linkedList, readPage } from '@gradeway/shared/http/pagination';
import { streamText } from '@gradeway/shared/http/streamText';
import { parseInput } from '@gradeway/shared/http/validation';
import type { Request, Response } from 'express';
import { gradebookCsv } from '../export/domain/gradebookCsv.ts';
import { recordExport } from '../export/domain/recordExport.ts';
import type { Dependencies } from './dependencies.ts';
import { listPage } from './listPage.ts';
import { gradebookQuery, studentQuery } from './schemas.ts';
import { courseStudentView, gradebookRowView } from './serializers.ts';

/** The lists of a course that administrators and its graders read alike. They answer 404 for an unknown course. */
export function courseLists(dependencies: Dependencies) {
  const { courses, students, grades, clock, publicUrl } = dependencies;

  /** The students of a course (specification 8). */
  async function sendStudents(req: Request, res: Response, courseId: number): Promise<void> {
    const page = readPage(req.query, listPage);
    const { search } = parseInput(studentQuery, req.query);
    const listed = await students.pageOfCourse(courseId, page, search);
    if (!listed) throw notFound();
    const items = listed.students.map(courseStudentView);
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  }

  /** The gradebook of a course as a page, or with `?format=csv` as a file. */
  async function sendGradebook(req: Request, res: Response, courseId: number): Promise<void> {
    const { format } = parseInput(gradebookQuery, req.query);
    if (format === 'csv') return sendGradebookFile(res, courseId);
    const page = readPage(req.query, listPage);
    if (!(await courses.find(courseId))) throw notFound();
    const listed = await grades.pageOfCourse(courseId, page);
    const items = listed.rows.map((row) => gradebookRowView(row, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  }

  async function sendGradebookFile(res: Response, courseId: number): Promise<void> {
    if (!(await courses.find(courseId))) throw notFound();
    await recordExport(dependencies, 'gradebook.exported', courseId);
    res.set({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="gradebook-${courseId}.csv"`,
      'X-Content-Type-Options': 'nosniff',
    });
    await streamText(res, gradebookCsv(dependencies, courseId));
  }

  return { sendStudents, sendGradebook };
}

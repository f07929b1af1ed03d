import { principalOf } from '@gradeway/shared/auth/authenticate';
import { sendCsv } from '@gradeway/shared/csv/sendCsv';
import { notFound } from '@gradeway/shared/errors/appError';
import { linkedList, longPage, readPage } from '@gradeway/shared/http/pagination';
import { parseInput } from '@gradeway/shared/http/validation';
import type { Request, Response } from 'express';
import type { ServiceDependencies } from '../dependencies.ts';
import type { Gradebook } from '../domain/grade.ts';
import { gradebookCsv } from '../export/domain/gradebookCsv.ts';
import { recordExport } from '../export/domain/recordExport.ts';
import { type GridCsvFormat, gridCsv } from '../gradebook/domain/gridCsv.ts';
import { readGridPage } from '../gradebook/domain/readGrid.ts';
import { gradebookQuery, studentQuery } from './schemas.ts';
import { courseStudentView, gradebookRowView, gridItemView, gridRowView } from './serializers.ts';

/** Sends a course's lists to administrators and to the course's graders. An unknown course is a 404. */
export function courseLists(dependencies: ServiceDependencies) {
  const { courses, students, grades, clock, publicUrl, requireReauthentication } = dependencies;

  /** Sends the students of a course (specification 8). */
  async function sendStudents(req: Request, res: Response, courseId: number): Promise<void> {
    const page = readPage(req.query, longPage);
    const { search } = parseInput(studentQuery, req.query);
    const listed = await students.pageOfCourse(courseId, page, search);
    if (!listed) throw notFound();
    const items = listed.students.map(courseStudentView);
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  }

  /**
   * Sends one page of the gradebook, as a list of grades or as a grid. With `?format=csv` or `grid.csv`, sends the
   * whole gradebook as a file. The grid is also sent as a file if the client accepts only CSV.
   */
  async function sendGradebook(req: Request, res: Response, gradebook: Gradebook): Promise<void> {
    const { format, ...file } = parseInput(gradebookQuery, req.query);
    const isGridFile = format === 'grid.csv' || (format === 'grid' && prefersCsv(req));
    if (format === 'csv' || isGridFile) return sendFile(res, gradebook, { ...file, isGrid: isGridFile });
    const page = readPage(req.query, longPage);
    if (!(await courses.find(gradebook.courseId))) throw notFound();
    const url = publicUrl.of(req);
    if (format === 'grid') {
      const { items, rows, total } = await readGridPage(dependencies, gradebook, page);
      const students = rows.map(gridRowView);
      const { links, meta } = linkedList({ url, page, items: students, total });
      res.json({ data: { items: items.map(gridItemView), students }, links, meta });
      return;
    }
    const listed = await grades.pageOfCourse(gradebook, page);
    const items = listed.rows.map((row) => gradebookRowView(row, clock));
    res.json(linkedList({ url, page, items, total: listed.total }));
  }

  async function sendFile(
    res: Response,
    gradebook: Gradebook,
    { isGrid, bom, ...format }: GridCsvFormat & { isGrid: boolean; bom: boolean },
  ): Promise<void> {
    const { courseId } = gradebook;
    if (!(await courses.find(courseId))) throw notFound();
    await requireReauthentication(principalOf(res));
    await recordExport(dependencies, 'gradebook.exported', courseId);
    const fileName = `gradebook-${courseId}.csv`;
    const chunks = isGrid ? gridCsv(dependencies, gradebook, format) : gradebookCsv(dependencies, gradebook);
    await sendCsv(res, { fileName, bom }, chunks);
  }

  return { sendStudents, sendGradebook };
}

const prefersCsv = (req: Request): boolean => req.accepts(['json', 'text/csv']) === 'text/csv';

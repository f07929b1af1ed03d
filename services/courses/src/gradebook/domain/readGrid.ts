import type { Page } from '@gradeway/shared/http/pagination';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { Gradebook, GradebookStudent } from '../../domain/grade.ts';
import { type GridColumn, type GridItem, type GridRow, gridRows } from './grid.ts';

export type GridDependencies = Pick<ServiceDependencies, 'grades' | 'grid'>;

interface GridPage {
  items: GridItem[];
  rows: GridRow[];
  /** The number of students on all pages. */
  total: number;
}

// Each cell takes about 300 bytes, so even with a hundred items a batch stays within a few megabytes.
const studentsPerBatch = 100;

/** Reads one page of students with every item of the course. */
export async function readGridPage(
  { grades, grid }: GridDependencies,
  gradebook: Gradebook,
  page: Page,
): Promise<GridPage> {
  const items = await grid.items(gradebook.courseId);
  const { students, total } = await grades.pageOfStudents(gradebook.courseId, page);
  return { items, rows: await rowsOf(grid, gradebook, items, students), total };
}

/** Yields the rows of all students, in batches. */
export async function* readGridRows(
  { grades, grid }: GridDependencies,
  gradebook: Gradebook,
  items: GridColumn[],
): AsyncGenerator<GridRow[]> {
  for await (const students of grades.batchesOfStudents(gradebook.courseId, studentsPerBatch))
    yield await rowsOf(grid, gradebook, items, students);
}

async function rowsOf(
  grid: GridDependencies['grid'],
  { courseId, hidesAnonymous }: Gradebook,
  items: GridColumn[],
  students: GradebookStudent[],
): Promise<GridRow[]> {
  const ids = students.map(({ studentId }) => studentId);
  const works = await grid.works(courseId, ids);
  const allowances = await grid.allowances(courseId, ids);
  return gridRows({ items, students, works, allowances, hidesAnonymous });
}

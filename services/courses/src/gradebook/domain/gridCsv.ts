import { escapeCsvFormula, toCsv } from '@gradeway/shared/csv/writeCsv';
import { itemHeadings } from '@gradeway/shared/items/itemHeadings';
import type { Gradebook } from '../../domain/grade.ts';
import type { GridCell } from './grid.ts';
import { type GridDependencies, readGridRows } from './readGrid.ts';

/** How the reader's spreadsheet program separates cells and writes numbers. */
export interface GridCsvFormat {
  delimiter: ',' | ';';
  decimal: '.' | ',';
}

/** Streams the grid of a course as CSV, with a row for each student and a column for each item. */
export async function* gridCsv(
  dependencies: GridDependencies,
  gradebook: Gradebook,
  { delimiter, decimal }: GridCsvFormat,
): AsyncGenerator<string> {
  const items = await dependencies.grid.items(gradebook.courseId);
  yield toCsv(
    [['student_id', 'name', 'email', ...itemHeadings(items), 'points', 'possible', 'percent']],
    delimiter,
  );
  const number = (value: number | null) => (value === null ? '' : String(value).replace('.', decimal));
  for await (const rows of readGridRows(dependencies, gradebook, items))
    yield toCsv(
      rows.map(({ studentId, studentName, studentEmail, cells, points, possible, percent }) => [
        studentId,
        escapeCsvFormula(studentName ?? ''),
        escapeCsvFormula(studentEmail ?? ''),
        ...cells.map((cell) => number(countedGrade(cell))),
        number(points),
        number(possible),
        number(percent),
      ]),
      delimiter,
    );
}

const countedGrade = ({ state, finalGrade }: GridCell): number | null =>
  state === 'graded' ? finalGrade : null;

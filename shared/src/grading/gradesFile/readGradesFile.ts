import { maxInteger } from '../../config/maxInteger.ts';
import { type CsvRecord, extraCellsMessage } from '../../csv/csvRecords.ts';
import { cellOf, invalidFile, readTableFile } from '../../csv/tableFile.ts';
import { escapeCsvFormula, unescapeCsvFormula } from '../../csv/writeCsv.ts';
import { headingsOf, type ItemColumn } from '../../items/itemHeadings.ts';
import type { GradesFile, GradesLine } from './gradesFile.ts';

/** The maximum number of students in a file. */
const maxRows = 20_000;
const knownColumns = ['student_id', 'name', 'email', 'grade', 'comment'];
// Internal names of the two possible grade columns, which no file can contain.
const [graded, final] = ['\0grade', '\0final'];

/**
 * Reads a CSV file with the grades of an item: with the columns `student_id` or `email`, and `grade` or the title of the item as
 * the gradebook writes it. Lines with neither a grade nor a comment are skipped.
 * @throws AppError `invalid` for a file without these columns
 */
export async function readGradesFile(path: string, item: ItemColumn): Promise<GradesFile> {
  let isFinal = false;
  const table = await readTableFile(path, {
    maxRows,
    knownColumns,
    readHeader(names) {
      const columns = columnsOf(names, item);
      isFinal = columns.includes(final) && !columns.includes(graded);
      return columns;
    },
  });
  const column = isFinal ? final : graded;
  const lines = table.records.map((record) => lineOf(record, column, table.delimiter));
  return { lines: lines.filter(givesSomething), isFinal, errors: table.errors };
}

function columnsOf(names: string[], item: ItemColumn): string[] {
  const lower = names.map((name) => name.toLowerCase());
  // A spreadsheet program may have removed the apostrophe of an escaped title.
  const heading = headingsOf(item)
    .map((each) => each.toLowerCase())
    .findLast((each) => lower.some((name) => escapeCsvFormula(name) === each));
  const columns = lower.map((name) => {
    if (name === 'grade') return graded;
    return !knownColumns.includes(name) && escapeCsvFormula(name) === heading ? final : name;
  });
  for (const known of [...knownColumns, graded, final])
    if (columns.indexOf(known) !== columns.lastIndexOf(known))
      throw invalidFile(`The first line names the column ${names[columns.lastIndexOf(known)]} twice.`);
  if (!columns.includes('student_id') && !columns.includes('email'))
    throw invalidFile('The first line must name the columns; it lacks student_id or email.');
  if (![graded, final, 'comment'].some((each) => columns.includes(each)))
    throw invalidFile('The first line must name the columns; it lacks grade or the title of the item.');
  return columns;
}

function lineOf(record: CsvRecord, column: string, delimiter: string): GradesLine {
  const id = cellOf(record, 'student_id');
  return {
    line: record.line,
    // Stands for a cell that is not an id; no account has it.
    studentId: id === '' ? undefined : /^\d{1,10}$/.test(id) && Number(id) <= maxInteger ? Number(id) : 0,
    email: unescapeCsvFormula(cellOf(record, 'email')).toLowerCase(),
    // Otherwise, a decimal comma without quotation marks would make the grade smaller.
    grade: record.hasExtraCells ? { message: extraCellsMessage } : gradeOf(cellOf(record, column), delimiter),
    comment: cellOf(record, 'comment'),
  };
}

function gradeOf(cell: string, delimiter: string): GradesLine['grade'] {
  if (cell === '') return undefined;
  const text = delimiter === ';' ? cell.replace(',', '.') : cell;
  return /^\d{1,12}(\.\d{1,12})?$/.test(text) ? Number(text) : { message: 'The grade must be a number.' };
}

const givesSomething = ({ grade, comment }: GradesLine): boolean => grade !== undefined || comment !== '';

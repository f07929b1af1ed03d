import { type CsvRecord, extraCellsMessage } from '@gradeway/shared/csv/csvRecords';
import { cellOf, invalidFile, type LineError, readTableFile } from '@gradeway/shared/csv/tableFile';
import { unescapeCsvFormula } from '@gradeway/shared/csv/writeCsv';
import { type PersonName, splitName } from './splitName.ts';

/** A student in a roster. */
export interface RosterLine {
  line: number;
  email: string;
  /** Undefined if the file does not contain it. */
  name: PersonName | undefined;
  /** The student's id in the school's own system; empty if the file does not contain it. */
  studentNumber: string;
}

export interface Roster {
  lines: RosterLine[];
  errors: LineError[];
}

/** The maximum number of students in a file. */
const maxRows = 20_000;
const maxNumberLength = 255;
const knownColumns = ['name', 'first_name', 'last_name', 'email', 'student_number'];

/**
 * Reads a CSV file with the students of a course: `email`, and a name for those who have no account yet, in one column or two.
 * @throws AppError `invalid` for a file without these columns
 */
export async function readRoster(path: string): Promise<Roster> {
  const { records, errors } = await readTableFile(path, { maxRows, knownColumns, readHeader });
  const roster: Roster = { lines: [], errors };
  const lineOf = new Map<string, number>();
  for (const record of records) {
    const student = studentOf(record);
    const keys = [`email ${student.email.toLowerCase()}`, `student_number ${student.studentNumber}`];
    const [key] = keys.filter((each) => lineOf.has(each));
    const message =
      errorOf(record, student) ?? (key && `Line ${lineOf.get(key)} has the same ${key.split(' ')[0]}.`);
    if (message) errors.push({ line: student.line, message });
    else {
      lineOf.set(keys[0] ?? '', student.line);
      if (student.studentNumber !== '') lineOf.set(keys[1] ?? '', student.line);
      roster.lines.push(student);
    }
  }
  return roster;
}

const studentOf = (record: CsvRecord): RosterLine => ({
  line: record.line,
  email: unescapeCsvFormula(cellOf(record, 'email')),
  name: nameOf(record),
  studentNumber: cellOf(record, 'student_number'),
});

function errorOf({ hasExtraCells }: CsvRecord, { email, studentNumber }: RosterLine): string | undefined {
  if (hasExtraCells) return extraCellsMessage;
  if (!email.includes('@')) return 'The email must be a valid email address.';
  return studentNumber.length > maxNumberLength
    ? `The student_number may not be greater than ${maxNumberLength} characters.`
    : undefined;
}

function readHeader(names: string[]): string[] {
  const columns = names.map((name) => name.toLowerCase());
  for (const known of knownColumns)
    if (columns.indexOf(known) !== columns.lastIndexOf(known))
      throw invalidFile(`The first line names the column ${known} twice.`);
  if (!columns.includes('email')) throw invalidFile('The first line must name the columns; it lacks email.');
  if (!columns.includes('name') && !columns.includes('first_name'))
    throw invalidFile('The first line must name the columns; it lacks name, or first_name and last_name.');
  return columns;
}

function nameOf(record: CsvRecord): PersonName | undefined {
  const text = (column: string) => unescapeCsvFormula(cellOf(record, column));
  const separate = { firstName: text('first_name'), lastName: text('last_name') };
  const name = isEmpty(separate) ? splitName(text('name')) : separate;
  return isEmpty(name) ? undefined : name;
}

const isEmpty = ({ firstName, lastName }: PersonName): boolean => firstName === '' && lastName === '';

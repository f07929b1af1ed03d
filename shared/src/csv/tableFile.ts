import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import { invalid } from '../errors/appError.ts';
import { type CsvRecord, csvRecords, InvalidCsv } from './csvRecords.ts';

/** A line of an uploaded file, and what is wrong with it. */
export interface LineError {
  line: number;
  message: string;
}

/** The records of an uploaded file with a column for each name. */
interface TableFile {
  records: CsvRecord[];
  delimiter: ',' | ';';
  /** The first line that cannot be read as CSV. Only the records before it are read. */
  errors: LineError[];
}

interface Options {
  maxRows: number;
  /** Lower-case column names used to detect the delimiter. */
  knownColumns: readonly string[];
  /** Returns the names by which cells are read. @throws AppError `invalid` */
  readHeader(names: string[]): string[];
}

/** The maximum size of a file that is read as a whole: 20,000 rows with a hundred columns. */
export const maxTableBytes = 8 * 1024 * 1024;

/**
 * Reads an uploaded CSV file as spreadsheet programs save it: separated by commas or semicolons, in UTF-8 or, if it is not valid
 * UTF-8, in Windows-1252.
 * @throws AppError `invalid` for a file without usable columns or with too many rows
 */
export async function readTableFile(path: string, options: Options): Promise<TableFile> {
  const text = decode(await readFile(path));
  // PostgreSQL cannot store the character, and no text file has it: this is a workbook, or in UTF-16.
  if (text.includes('\0')) throw invalidFile('The file must be a CSV file.');
  const delimiter = delimiterOf(text, options.knownColumns);
  const read = (part: string) => readRecords(part, delimiter, options);
  try {
    return { records: await read(text), delimiter, errors: [] };
  } catch (error) {
    if (!(error instanceof InvalidCsv)) throw error;
    const { line, message } = error;
    if (line === undefined) throw invalidFile(message);
    const before = linesBefore(text, line);
    return {
      records: before.trim() === '' ? [] : await read(before),
      delimiter,
      errors: [{ line, message }],
    };
  }
}

async function readRecords(
  text: string,
  delimiter: string,
  { maxRows, readHeader }: Options,
): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  for await (const record of csvRecords(Readable.from([text]), { delimiter, readHeader })) {
    if (records.length === maxRows) throw invalidFile(`The file may not have more than ${maxRows} rows.`);
    records.push(record);
  }
  return records;
}

const linesBefore = (text: string, line: number): string =>
  text
    .split(/\r\n|\n|\r/)
    .slice(0, line - 1)
    .join('\n');

export const invalidFile = (message: string) => invalid({ file: [message] });

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The delimiter that yields more of the known columns in the first line. Titles of columns can contain either. */
function delimiterOf(text: string, knownColumns: readonly string[]): ',' | ';' {
  const known = (delimiter: string): number =>
    headerOf(text, delimiter).filter((name) => knownColumns.includes(name.trim().toLowerCase())).length;
  return known(';') > known(',') ? ';' : ',';
}

const maxHeaderLength = 64 * 1024;

function headerOf(text: string, delimiter: string): string[] {
  const start = text.slice(0, maxHeaderLength);
  const options = { delimiter, to: 1, relax_quotes: true, relax_column_count: true, skip_empty_lines: true };
  try {
    return (parse(start, options) as string[][])[0] ?? [];
  } catch {
    // A quotation mark that is not closed in this part.
    return [];
  }
}

/** The cell with its surrounding white space removed; empty if the file lacks the column. */
export const cellOf = ({ cells }: CsvRecord, column: string): string => cells[column]?.trim() ?? '';

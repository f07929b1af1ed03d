import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';

/** One record of a CSV file. */
export interface CsvRecord {
  /** The line on which the record starts. The header is on line 1. */
  line: number;
  /** Cells by column name. Cells missing at the end of the record are empty. */
  cells: Record<string, string>;
  /** The record has more non-empty cells than the header has columns. */
  hasExtraCells: boolean;
}

/** A file, or one line of it, cannot be read as CSV. The message is for the user. */
export class InvalidCsv extends Error {
  /** The line on which the invalid record starts. */
  readonly line: number | undefined;

  constructor(message: string, line?: number, cause?: unknown) {
    super(message, { cause });
    this.line = line;
  }
}

interface Options {
  delimiter?: string;
  /** Decodes the bytes of the source, if it does not yield text. */
  decode?: Transform;
  /** Returns the names of the columns, or throws. The given names are trimmed. */
  readHeader(names: string[]): string[];
}

interface Parsed {
  line: number;
  record: string[];
}

// Real rows have a few hundred bytes.
const maxRecordBytes = 64 * 1024;

/**
 * Streams the records of a CSV file (RFC 4180). Columns may be in any order, and unknown columns are also read. Rows of empty
 * cells, which spreadsheets add, are skipped.
 * @throws InvalidCsv, and any error of the source or of `readHeader`
 */
export async function* csvRecords(
  source: Readable,
  { delimiter = ',', decode, readHeader }: Options,
): AsyncGenerator<CsvRecord> {
  const lines = new LineCounter();
  const withLine = (record: string[], info: Position): Parsed => ({
    line: lines.firstLine(record, info),
    record,
  });
  const parser = parse({
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRecordBytes,
    record_delimiter: ['\r\n', '\n', '\r'],
    // The loop below does not receive the last records before an error. The declared type permits only cells.
    on_record: withLine as never,
  });
  const reading = (decode ? pipeline(source, decode, parser) : pipeline(source, parser)).catch(() => {
    // The loop below throws the same error.
  });
  let header: string[] | undefined;
  try {
    for await (const { line, record } of parser as AsyncIterable<Parsed>) {
      if (record.every(isEmpty)) continue;
      if (!header) {
        header = readHeader(record.map((name) => name.trim()));
        continue;
      }
      const columns = header;
      const cells = Object.fromEntries(columns.map((name, index) => [name, record[index] ?? '']));
      yield { line, cells, hasExtraCells: !record.slice(columns.length).every(isEmpty) };
    }
  } catch (error) {
    throw error instanceof CsvError ? toInvalidCsv(error, lines) : error;
  } finally {
    source.destroy();
    await reading;
  }
  if (!header) throw new InvalidCsv('The file is empty. Its first line must name the columns.');
}

/** The error of a row with non-empty cells beyond the header's last. */
export const extraCellsMessage = 'The row has more cells than the first line has columns.';

const isEmpty = (cell: string): boolean => cell.trim() === '';

interface Position {
  lines: number;
  empty_lines: number;
}

/**
 * Computes the line on which a record starts. The parser reports the line on which it ends, and counts a CRLF within a
 * cell as two lines.
 */
class LineCounter {
  #overcounted = 0;
  #lastLine = 0;
  #emptyLines = 0;

  firstLine(record: string[], { lines, empty_lines: emptyLines }: Position): number {
    const lineBreaks = record.join(',').match(/\r\n|\n|\r/g) ?? [];
    this.#overcounted += lineBreaks.filter((each) => each === '\r\n').length;
    this.#lastLine = lines - this.#overcounted;
    this.#emptyLines = emptyLines;
    return this.#lastLine - lineBreaks.length;
  }

  /** The first line of the record after the last one, which could not be read. */
  nextLine({ empty_lines: emptyLines }: Pick<Position, 'empty_lines'>): number {
    return this.#lastLine + emptyLines - this.#emptyLines + 1;
  }
}

const toInvalidCsv = (error: CsvError & { empty_lines?: number }, lines: LineCounter): InvalidCsv => {
  const message = messageOf[error.code] ?? 'The row cannot be read as CSV.';
  return new InvalidCsv(message, lines.nextLine({ empty_lines: error.empty_lines ?? 0 }), error);
};

const messageOf: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'A quotation mark is never closed.',
  CSV_INVALID_CLOSING_QUOTE: 'After a closing quotation mark a comma or the end of the line must follow.',
  INVALID_OPENING_QUOTE: 'A cell contains a quotation mark but does not begin with one.',
  CSV_MAX_RECORD_SIZE: 'The row is too long.',
};

import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, invalid } from '@gradeway/shared/errors/appError';
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

interface Parsed {
  record: string[];
  info: { lines: number };
}

// Real rows have a few hundred bytes.
const maxRecordBytes = 64 * 1024;

/**
 * Streams the records of a CSV file (RFC 4180, UTF-8 with or without a byte order mark). Columns may be in any order,
 * and unknown columns are also read. Rows of empty cells, which spreadsheets add, are skipped.
 * @throws AppError `invalid` naming the file and, if possible, the invalid line
 */
export async function* readCsvRecords(
  source: Readable,
  fileName: string,
  requiredColumns: readonly string[],
): AsyncGenerator<CsvRecord> {
  const parser = parse({
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRecordBytes,
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  const reading = pipeline(source, decodeUtf8(fileName), parser).catch(() => {
    // The loop below throws the same error.
  });
  const lines = new LineCounter();
  let header: string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const line = lines.firstLine(record, info.lines);
      if (record.every(isEmpty)) continue;
      if (!header) {
        header = readHeader(record, fileName, requiredColumns);
        continue;
      }
      const columns = header;
      const cells = Object.fromEntries(columns.map((name, index) => [name, record[index] ?? '']));
      yield { line, cells, hasExtraCells: !record.slice(columns.length).every(isEmpty) };
    }
  } catch (error) {
    throw toAppError(error, fileName);
  } finally {
    source.destroy();
    await reading;
  }
  if (!header) throw invalid({ [fileName]: ['The file is empty. Its first line must name the columns.'] });
}

const isEmpty = (cell: string): boolean => cell.trim() === '';

function readHeader(record: string[], fileName: string, requiredColumns: readonly string[]): string[] {
  const header = record.map((name) => name.trim());
  const missing = requiredColumns.filter((name) => !header.includes(name));
  if (missing.length > 0)
    throw invalid({ [fileName]: [`The first line must name the columns; it lacks ${missing.join(', ')}.`] });
  const duplicate = header.find((name, index) => name !== '' && header.indexOf(name) !== index);
  if (duplicate) throw invalid({ [fileName]: [`The first line names the column ${duplicate} twice.`] });
  return header;
}

/**
 * Computes the line on which a record starts. The parser reports the line on which it ends, and counts a CRLF within a
 * cell as two lines.
 */
class LineCounter {
  #overcounted = 0;

  firstLine(record: string[], lastLine: number): number {
    const lineBreaks = record.join(',').match(/\r\n|\n|\r/g) ?? [];
    this.#overcounted += lineBreaks.filter((each) => each === '\r\n').length;
    return lastLine - this.#overcounted - lineBreaks.length;
  }
}

/** Decodes UTF-8 and rejects other encodings, which would otherwise import garbled names. */
function decodeUtf8(fileName: string): Transform {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (done: TransformCallback, chunk?: Buffer) => {
    try {
      done(null, chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode());
    } catch (cause) {
      done(invalidFile(fileName, 'The file must be UTF-8.', cause));
    }
  };
  return new Transform({
    readableObjectMode: false,
    transform: (chunk: Buffer, _encoding, done) => decode(done, chunk),
    flush: (done) => decode(done),
  });
}

function toAppError(error: unknown, fileName: string): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof CsvError) {
    const { lines } = error as CsvError & { lines?: number };
    const place = lines ? `${fileName}:${lines}` : fileName;
    return invalid({ [place]: [messageOf[error.code] ?? 'The row cannot be read as CSV.'] });
  }
  // yauzl and zlib report a wrong size or checksum.
  return invalidFile(fileName, 'The file is damaged in the archive.', error);
}

const messageOf: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'A quotation mark is never closed.',
  CSV_INVALID_CLOSING_QUOTE: 'After a closing quotation mark a comma or the end of the line must follow.',
  INVALID_OPENING_QUOTE: 'A cell contains a quotation mark but does not begin with one.',
  CSV_MAX_RECORD_SIZE: 'The row is too long.',
};

const invalidFile = (fileName: string, message: string, cause: unknown) =>
  new AppError('invalid', 'Invalid Data', { fields: { [fileName]: [message] }, cause });

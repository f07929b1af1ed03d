import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, invalid } from '@gradeway/shared/errors/appError';
import { CsvError, parse } from 'csv-parse';

/** One record of a CSV file. */
export interface CsvRecord {
  /** Where it begins; the header is on line 1. */
  line: number;
  /** By the names of the header's columns. */
  cells: Record<string, string>;
  /** The record has another number of cells than the header. */
  isUneven: boolean;
}

interface Parsed {
  record: string[];
  info: { lines: number };
}

// A row of a school's register is some hundred bytes long.
const longestRecord = 64 * 1024;

/**
 * Reads a CSV file (RFC 4180, in UTF-8, with or without a byte order mark) as it arrives. Columns that nobody asks for
 * do no harm, in any order.
 * @throws AppError `invalid` naming the file, and the line where there is one, for what cannot be read
 */
export async function* readRecords(
  source: Readable,
  fileName: string,
  required: readonly string[],
): AsyncGenerator<CsvRecord> {
  const parser = parse({
    ...{ info: true, relax_column_count: true, skip_empty_lines: true, max_record_size: longestRecord },
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  const reading = pipeline(source, decodeUtf8(fileName), parser).catch(() => {
    // The iteration below meets the same error.
  });
  const lines = new LineCount();
  let header: string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const line = lines.firstLine(record, info.lines);
      if (!header) {
        header = readHeader(record, fileName, required);
        continue;
      }
      const columns = header;
      const cells = Object.fromEntries(record.map((cell, index) => [columns[index] ?? '', cell]));
      yield { line, cells, isUneven: record.length !== columns.length };
    }
  } catch (error) {
    throw translate(error, fileName);
  } finally {
    source.destroy();
    await reading;
  }
  if (!header) throw invalid({ [fileName]: ['The file is empty: its first line must name the columns.'] });
}

function readHeader(record: string[], fileName: string, required: readonly string[]): string[] {
  const header = record.map((name) => name.trim());
  const missing = required.filter((name) => !header.includes(name));
  if (missing.length > 0)
    throw invalid({ [fileName]: [`The first line must name the columns; it lacks ${missing.join(', ')}.`] });
  const twice = header.find((name, index) => name !== '' && header.indexOf(name) !== index);
  if (twice) throw invalid({ [fileName]: [`The first line names the column ${twice} twice.`] });
  return header;
}

/**
 * Where records begin. The parser says where they end, and inside of a cell takes a CRLF for two lines.
 */
class LineCount {
  #tooMany = 0;

  firstLine(record: string[], lastLine: number): number {
    const breaks = record.join(',').match(/\r\n|\n|\r/g) ?? [];
    this.#tooMany += breaks.filter((each) => each === '\r\n').length;
    return lastLine - this.#tooMany - breaks.length;
  }
}

/** Text, or an error that names the file: what is no UTF-8 would become names that nobody has. */
function decodeUtf8(fileName: string): Transform {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (done: TransformCallback, chunk?: Buffer) => {
    try {
      done(null, chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode());
    } catch (cause) {
      done(
        new AppError('invalid', 'Invalid Data', {
          fields: { [fileName]: ['The file must be UTF-8.'] },
          cause,
        }),
      );
    }
  };
  return new Transform({
    readableObjectMode: false,
    transform: (chunk: Buffer, _encoding, done) => decode(done, chunk),
    flush: (done) => decode(done),
  });
}

function translate(error: unknown, fileName: string): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof CsvError) {
    const { lines } = error as CsvError & { lines?: number };
    const place = lines ? `${fileName}:${lines}` : fileName;
    return invalid({ [place]: [sentenceOf[error.code] ?? 'The row cannot be read as CSV.'] });
  }
  // yauzl and zlib: fewer or more bytes than announced, a wrong checksum.
  return new AppError('invalid', 'Invalid Data', {
    fields: { [fileName]: ['The file is damaged in the archive.'] },
    cause: error,
  });
}

const sentenceOf: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'A quotation mark is never closed.',
  CSV_INVALID_CLOSING_QUOTE: 'After a closing quotation mark a comma or the end of the line must follow.',
  INVALID_OPENING_QUOTE: 'A quotation mark stands inside a cell that does not begin with one.',
  CSV_MAX_RECORD_SIZE: 'The row is too long.',
};

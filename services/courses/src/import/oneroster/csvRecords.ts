import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { type CsvRecord, csvRecords, InvalidCsv } from '@gradeway/shared/csv/csvRecords';
import { AppError, invalid } from '@gradeway/shared/errors/appError';

/**
 * Streams the records of a CSV file of an archive, in UTF-8 with or without a byte order mark.
 * @throws AppError `invalid` naming the file and, if possible, the invalid line
 */
export async function* readCsvRecords(
  source: Readable,
  fileName: string,
  requiredColumns: readonly string[],
): AsyncGenerator<CsvRecord> {
  try {
    yield* csvRecords(source, {
      decode: decodeUtf8(fileName),
      readHeader: (names) => readHeader(names, fileName, requiredColumns),
    });
  } catch (error) {
    throw toAppError(error, fileName);
  }
}

function readHeader(header: string[], fileName: string, requiredColumns: readonly string[]): string[] {
  const missing = requiredColumns.filter((name) => !header.includes(name));
  if (missing.length > 0)
    throw invalid({ [fileName]: [`The first line must name the columns; it lacks ${missing.join(', ')}.`] });
  const duplicate = header.find((name, index) => name !== '' && header.indexOf(name) !== index);
  if (duplicate) throw invalid({ [fileName]: [`The first line names the column ${duplicate} twice.`] });
  return header;
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
  if (error instanceof InvalidCsv) {
    const place = error.line ? `${fileName}:${error.line}` : fileName;
    return invalid({ [place]: [error.message] });
  }
  // yauzl and zlib report a wrong size or checksum.
  return invalidFile(fileName, 'The file is damaged in the archive.', error);
}

const invalidFile = (fileName: string, message: string, cause: unknown) =>
  new AppError('invalid', 'Invalid Data', { fields: { [fileName]: [message] }, cause });

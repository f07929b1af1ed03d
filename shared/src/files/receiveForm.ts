import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import type { Request, Response } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import { AppError, invalid } from '../errors/appError.ts';
import { startUpload, type UploadOutcome } from '../metrics/uploads.ts';

/** A file as it arrived: on disk for now, under a passing name. */
export interface ReceivedFile {
  /** The client's name for it, without path and control characters. */
  name: string;
  path: string;
  size: number;
  sha256: string;
  /** As ZIP archives need it. */
  crc32: number;
}

/** A multipart form. Disposing it removes every file of it that nobody has moved away. */
export interface ReceivedForm extends AsyncDisposable {
  fields: Record<string, unknown>;
  files: ReceivedFile[];
}

interface Options {
  /** Where files are put while they arrive; best on the file system of the store. */
  directory: string;
  /** The one form field that may hold files. */
  field: string;
  maxFiles: number;
  maxBytes: number;
  /** Headline of a 422. */
  message?: string;
}

// busboy's own limits; a form of ours has a dozen short fields.
const formLimits = { fieldNameSize: 100, fieldSize: 256 * 1024, fields: 40, headerPairs: 40 };
// Many uploads at once wait for the disk: what each holds meanwhile is a few of these.
const bufferBytes = 64 * 1024;

/**
 * Reads a multipart form, its files to disk while they are hashed. Memory stays the same whatever is sent.
 * Whatever goes wrong, what was written is removed again.
 * @throws AppError `too_large` for a file over `maxBytes`, `invalid` for a broken form or unexpected files
 */
export async function receiveForm(req: Request, res: Response, options: Options): Promise<ReceivedForm> {
  const { field, maxFiles, maxBytes } = options;
  const storage = new HashingStorage(options.directory);
  const receive = multer({
    storage,
    defParamCharset: 'utf8',
    limits: { ...formLimits, fileSize: maxBytes, files: maxFiles, parts: formLimits.fields + maxFiles },
  }).array(field, maxFiles);

  const files: ReceivedFile[] = [];
  const ended = startUpload();
  const dispose = async () => {
    await Promise.all(storage.paths.map((path) => rm(path, { force: true })));
  };
  try {
    await new Promise<void>((resolve, reject) => {
      receive(req, res, (error: unknown) => (error ? reject(error) : resolve()));
    });
    files.push(
      ...((req.files ?? []) as unknown as (ReceivedFile & { originalname: string })[]).map(readFile),
    );
  } catch (thrown) {
    const error = translate(thrown, options);
    ended(outcomeOf(req, error), storage.bytes);
    await dispose();
    // What is still on its way must be read, or the client never reads our answer.
    req.unpipe();
    req.resume();
    throw error;
  }
  ended('received', storage.bytes);
  return { fields: { ...req.body }, files, [Symbol.asyncDispose]: dispose };
}

const readFile = ({
  originalname,
  path,
  size,
  sha256,
  crc32: crc,
}: ReceivedFile & { originalname: string }) => ({
  name: cleanName(originalname),
  path,
  size,
  sha256,
  crc32: crc,
});

const longestName = 200;

/** A client's file name as we keep and show it: any script, but no path, no control and no direction characters. */
export function cleanName(name: string): string {
  const base = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const visible = base.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '').trim();
  const short = [...visible].slice(0, longestName).join('');
  return short === '' || /^\.+$/.test(short) ? 'file.pdf' : short;
}

class HashingStorage implements StorageEngine {
  /** Every file that was begun, whatever became of it. */
  readonly paths: string[] = [];
  readonly #directory: string;
  readonly #streams: Hashing[] = [];

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** How much of them has been read. */
  get bytes(): number {
    return this.#streams.reduce((sum, { size }) => sum + size, 0);
  }

  _handleFile(
    _req: Request,
    file: Express.Multer.File,
    done: (error?: unknown, info?: object) => void,
  ): void {
    const path = join(this.#directory, randomUUID());
    this.paths.push(path);
    const hashing = new Hashing();
    this.#streams.push(hashing);
    writeHashed(file.stream, hashing, path).then((info) => done(null, { path, ...info }), done);
  }

  _removeFile(_req: Request, file: Express.Multer.File, done: (error: Error | null) => void): void {
    rm(file.path, { force: true }).then(() => done(null), done);
  }
}

async function writeHashed(source: Readable, hashing: Hashing, path: string) {
  await pipeline(source, hashing, createWriteStream(path, { mode: 0o600, highWaterMark: bufferBytes }));
  return hashing.result();
}

/** Passes bytes on, as few at a time as they come, and knows in the end how many they were and their sums. */
class Hashing extends Transform {
  readonly #hash = createHash('sha256');
  #size = 0;
  #crc = 0;

  constructor() {
    super({ highWaterMark: bufferBytes });
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#hash.update(chunk);
    this.#crc = crc32(chunk, this.#crc);
    this.#size += chunk.length;
    done(null, chunk);
  }

  get size(): number {
    return this.#size;
  }

  result() {
    return { size: this.#size, sha256: this.#hash.digest('hex'), crc32: this.#crc };
  }
}

function outcomeOf(req: Request, error: unknown): UploadOutcome {
  if (req.destroyed && !req.complete) return 'aborted';
  if (!(error instanceof AppError)) return 'failed';
  return error.code === 'too_large' ? 'too_large' : 'invalid';
}

function translate(error: unknown, { field, maxFiles, message }: Options): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  if (isDiskFault(error)) return error;
  if (!(error instanceof MulterError))
    // busboy: a form that ends early, has no boundary or cannot be read.
    return new AppError('invalid', message ?? 'Invalid Data', {
      fields: { [field]: [`The ${field} failed to upload.`] },
      cause: error,
    });
  if (error.code === 'LIMIT_FILE_SIZE') return new AppError('too_large', 'Payload Too Large');
  if (error.code === 'LIMIT_UNEXPECTED_FILE' || error.code === 'LIMIT_FILE_COUNT')
    return invalid(
      { [error.field ?? field]: [unexpectedFile(error.field ?? field, field, maxFiles)] },
      message,
    );
  return invalid({ [error.field ?? field]: ['The form has too many or too long fields.'] }, message);
}

const unexpectedFile = (given: string, field: string, most: number): string =>
  given === field
    ? `The ${field} may not have more than ${most} items.`
    : `The ${given} field may not hold a file.`;

const isDiskFault = (error: Error): boolean =>
  ['ENOSPC', 'EDQUOT', 'EIO', 'EACCES', 'EROFS', 'ENOENT', 'EMFILE'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );

import type { Request, Response } from 'express';
import multer, { MulterError } from 'multer';
import { AppError, invalid, unavailable } from '../errors/appError.ts';
import { cleanFileName } from './cleanFileName.ts';
import { type HashedFile, HashingStorage } from './hashingStorage.ts';
import { isResourceExhausted } from './resourceExhaustion.ts';
import { type AdmissionRules, UploadAdmission } from './uploadAdmission.ts';
import { measureUpload, type UploadOutcome } from './uploadMetrics.ts';

/** An uploaded file in the upload directory, under a temporary name. `crc32` is for ZIP archives. */
export interface ReceivedFile extends HashedFile {
  /** The client's file name, sanitized ({@link cleanFileName}). */
  name: string;
}

/** A multipart form. Disposing it deletes the files that have not been moved. */
export interface ReceivedForm extends AsyncDisposable {
  fields: Record<string, unknown>;
  files: ReceivedFile[];
}

interface Options extends AdmissionRules {
  /** Upload directory, preferably on the file system of the store. */
  directory: string;
  /** The only form field that may contain files. */
  field: string;
  /** Whether to store no bytes of a file without a PDF header, which is invalid regardless of its other content. */
  pdfsOnly?: boolean;
  /** `message` of a 422. */
  message?: string;
}

// The forms of the API need far less: a dozen short fields.
const formLimits = { fieldNameSize: 100, fieldSize: 256 * 1024, fields: 40, headerPairs: 40 };

/**
 * Receives a multipart form. Its files are streamed to disk and hashed, so memory use does not depend on their size.
 * After any error, all of its files are deleted.
 * @throws AppError `unsupported_media_type` for a compressed form, `too_large` for a file over `maxBytes`, `invalid`
 * for a malformed form or unexpected files, `too_many_requests` or `unavailable` from `limits`, `unavailable` if no
 * slot in `queue` becomes free before the deadline
 */
export async function receiveForm(req: Request, res: Response, options: Options): Promise<ReceivedForm> {
  // Multer would parse the compressed bytes as the form.
  const { 'content-encoding': encoding = 'identity' } = req.headers;
  if (encoding.toLowerCase() !== 'identity')
    throw new AppError('unsupported_media_type', 'Unsupported Media Type');
  const uploadEnded = measureUpload();
  const resources = new AsyncDisposableStack();
  const failed = Promise.withResolvers<never>();
  const admission = new UploadAdmission(req, res, options, resources);
  const { directory, pdfsOnly = false } = options;
  const storage = new HashingStorage({ directory, pdfsOnly, admission, onError: failed.reject });
  try {
    await admission.beforeBody();
    resources.adopt(storage, () => storage.removeFiles());
    // Multer reports an error only after the whole body has arrived.
    await Promise.race([runMulter(req, res, options, storage), failed.promise]);
    await admission.afterBody();
  } catch (thrown) {
    const error = translate(thrown, options);
    uploadEnded(outcomeOf(req, error), storage.receivedBytes);
    await resources.disposeAsync();
    // Clients read the response only after they have sent the whole request, so the rest of it must be consumed.
    req.unpipe();
    req.resume();
    throw error;
  }
  uploadEnded('received', storage.receivedBytes);
  return {
    fields: { ...req.body },
    files: filesOf(req),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function runMulter(
  req: Request,
  res: Response,
  { field, maxFiles, maxBytes }: Options,
  storage: HashingStorage,
): Promise<void> {
  const receive = multer({
    storage,
    defParamCharset: 'utf8',
    limits: { ...formLimits, fileSize: maxBytes, files: maxFiles, parts: formLimits.fields + maxFiles },
  }).array(field, maxFiles);
  return new Promise((resolve, reject) => {
    receive(req, res, (error: unknown) => (error ? reject(error) : resolve()));
  });
}

// Multer adds the properties that HashingStorage returns to its own file objects.
function filesOf(req: Request): ReceivedFile[] {
  const files = (req.files ?? []) as unknown as (HashedFile & { originalname: string })[];
  return files.map(({ originalname, path, size, sha256, crc32, hasPdfHeader }) => ({
    name: cleanFileName(originalname),
    path,
    size,
    sha256,
    crc32,
    hasPdfHeader,
  }));
}

const refusals = new Set(['too_many_requests', 'forbidden', 'not_found']);

function outcomeOf(req: Request, error: unknown): UploadOutcome {
  if (req.destroyed && !req.complete) return 'aborted';
  if (!(error instanceof AppError) || error.code === 'unavailable') return 'failed';
  if (refusals.has(error.code)) return 'refused';
  return error.code === 'too_large' ? 'too_large' : 'invalid';
}

function translate(error: unknown, { field, maxFiles, message }: Options): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  if (isResourceExhausted(error)) return unavailable(error);
  if (isDiskError(error)) return error;
  if (!(error instanceof MulterError))
    // A busboy error: the form is truncated, has no boundary or is malformed.
    return new AppError('invalid', message ?? 'Invalid Data', {
      fields: { [field]: [`The ${field} failed to upload.`] },
      cause: error,
    });
  if (error.code === 'LIMIT_FILE_SIZE') return new AppError('too_large', 'Payload Too Large');
  const name = error.field ?? field;
  if (error.code === 'LIMIT_UNEXPECTED_FILE' || error.code === 'LIMIT_FILE_COUNT')
    return invalid({ [name]: [unexpectedFileMessage(name, field, maxFiles)] }, message);
  return invalid({ [name]: ['The form has too many or too long fields.'] }, message);
}

const unexpectedFileMessage = (name: string, field: string, maxFiles: number): string =>
  name === field
    ? `The ${name} may not have more than ${maxFiles} items.`
    : `The ${name} field may not hold a file.`;

const isDiskError = (error: Error): boolean =>
  ['EIO', 'EACCES', 'EROFS', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '');

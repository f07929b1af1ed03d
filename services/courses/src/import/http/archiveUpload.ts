import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, invalid, unavailable } from '@gradeway/shared/errors/appError';
import { receiveForm } from '@gradeway/shared/files/receiveForm';
import { isResourceExhausted } from '@gradeway/shared/files/resourceExhaustion';
import type { Request, Response } from 'express';

/** An uploaded archive on disk, the token of a dry run, both or neither. Disposing it deletes the archive. */
interface ArchiveUpload extends AsyncDisposable {
  path?: string;
  token?: string;
}

interface Options {
  directory: string;
  maxBytes: number;
}

const archiveTypes = ['application/zip', 'application/x-zip-compressed', 'application/octet-stream'];

/** Whether `saveArchiveUpload` accepts the request's content type. */
export const isArchiveUpload = (req: Request): boolean =>
  Boolean(req.is('multipart/form-data') || req.is(archiveTypes));

/**
 * Streams an archive to disk, from a form or from the raw body. Memory use does not depend on its size.
 * @throws AppError `too_large` for more than `maxBytes`
 */
export async function saveArchiveUpload(
  req: Request,
  res: Response,
  options: Options,
): Promise<ArchiveUpload> {
  if (!req.is('multipart/form-data')) return saveBody(req, options);
  const form = await receiveForm(req, res, { ...options, field: 'file', maxFiles: 1 });
  const { token } = form.fields;
  const [file] = form.files;
  return {
    ...(file ? { path: file.path } : {}),
    ...(typeof token === 'string' ? { token } : {}),
    [Symbol.asyncDispose]: () => form[Symbol.asyncDispose](),
  };
}

async function saveBody(req: Request, { directory, maxBytes }: Options): Promise<ArchiveUpload> {
  const path = join(directory, randomUUID());
  const dispose = () => rm(path, { force: true });
  try {
    const body = Readable.from(limitBytes(req, maxBytes), { objectMode: false });
    await pipeline(body, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await dispose();
    // The client reads the response only after sending its body, so the rest must be consumed.
    req.resume();
    // A request that has been read to its end is also `destroyed`, so AppErrors are handled first.
    if (error instanceof AppError) throw error;
    if (req.destroyed) throw invalid({ file: ['The file failed to upload.'] });
    throw isResourceExhausted(error) ? unavailable(error) : error;
  }
  return { path, [Symbol.asyncDispose]: dispose };
}

async function* limitBytes(req: Request, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new AppError('too_large', 'Payload Too Large');
    yield chunk;
  }
}

import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, invalid } from '@gradeway/shared/errors/appError';
import { receiveForm } from '@gradeway/shared/files/receiveForm';
import type { Request, Response } from 'express';

/** What was sent: an archive on disk, the token of a dry run, or neither. Disposing it removes the archive. */
export interface Received extends AsyncDisposable {
  path?: string;
  token?: string;
}

interface Options {
  directory: string;
  maxBytes: number;
}

const archiveTypes = ['application/zip', 'application/x-zip-compressed', 'application/octet-stream'];

/** Whether the body is one that `receiveArchive` reads. */
export const hasArchive = (req: Request): boolean =>
  Boolean(req.is('multipart/form-data') || req.is(archiveTypes));

/**
 * Receives an archive to disk, as the file of a form or as the whole body. Memory stays the same whatever is sent.
 * @throws AppError `too_large` for more than `maxBytes`
 */
export async function receiveArchive(req: Request, res: Response, options: Options): Promise<Received> {
  if (!req.is('multipart/form-data')) return receiveBody(req, options);
  const form = await receiveForm(req, res, { ...options, field: 'file', maxFiles: 1 });
  const { token } = form.fields;
  const [file] = form.files;
  return {
    ...(file ? { path: file.path } : {}),
    ...(typeof token === 'string' ? { token } : {}),
    [Symbol.asyncDispose]: () => form[Symbol.asyncDispose](),
  };
}

async function receiveBody(req: Request, { directory, maxBytes }: Options): Promise<Received> {
  const path = join(directory, randomUUID());
  const dispose = () => rm(path, { force: true });
  try {
    const body = Readable.from(limited(req, maxBytes), { objectMode: false });
    await pipeline(body, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await dispose();
    // What is still on its way must be read, or the client never reads our answer.
    req.resume();
    if (req.destroyed) throw invalid({ file: ['The file failed to upload.'] });
    throw error;
  }
  return { path, [Symbol.asyncDispose]: dispose };
}

async function* limited(req: Request, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new AppError('too_large', 'Payload Too Large');
    yield chunk;
  }
}

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Request } from 'express';
import type { StorageEngine } from 'multer';
import { BufferCollector } from '../v8/bufferCollector.ts';
import { HashingFile } from './hashingFile.ts';
import type { UploadAdmission } from './uploadAdmission.ts';

export interface HashedFile {
  path: string;
  /** In bytes. */
  size: number;
  /** Hexadecimal. */
  sha256: string;
  crc32: number;
  /** Whether the file has a PDF header where D28 requires one. */
  hasPdfHeader: boolean;
}

interface Options {
  /** Upload directory. */
  directory: string;
  /** Whether to store no bytes of a file without a PDF header. */
  pdfsOnly: boolean;
  admission: Pick<UploadAdmission, 'beforeFiles' | 'count'>;
  /** Called with every file error. */
  onError(error: unknown): void;
}

// One collector for all uploads, because they share a heap.
const collector = new BufferCollector();

/** A Multer storage that hashes files while streaming them to a directory. */
export class HashingStorage implements StorageEngine {
  readonly #options: Options;
  readonly #paths: string[] = [];
  #admitted: Promise<void> | undefined;
  #receivedBytes = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Bytes received so far, in all files. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Deletes every file that was created. Moved files are not affected. */
  async removeFiles(): Promise<void> {
    await Promise.all(this.#paths.map((path) => rm(path, { force: true })));
  }

  _handleFile(req: Request, file: Express.Multer.File, done: (error?: unknown, info?: object) => void): void {
    this.#write(req, file).then(
      (info) => done(null, info),
      (error) => {
        this.#options.onError(error);
        done(error);
      },
    );
  }

  _removeFile(_req: Request, file: Express.Multer.File, done: (error: Error | null) => void): void {
    rm(file.path, { force: true }).then(() => done(null), done);
  }

  async #write(req: Request, file: Express.Multer.File): Promise<HashedFile> {
    const { directory, pdfsOnly, admission } = this.#options;
    this.#admitted ??= admission.beforeFiles({ ...req.body });
    await this.#admitted;
    if (file.stream.destroyed) throw new Error('the client disconnected');
    const path = join(directory, randomUUID());
    this.#paths.push(path);
    const target = new HashingFile(path, { pdfsOnly, onBytes: this.#count });
    try {
      await pipeline(file.stream, target);
      return { path, ...target.result() };
    } catch (error) {
      // removeFiles may have run before the file was created.
      await rm(path, { force: true });
      throw error;
    }
  }

  #count = (bytes: number): void => {
    this.#receivedBytes += bytes;
    collector.count(bytes);
    this.#options.admission.count(bytes);
  };
}

import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import type { Request } from 'express';
import type { StorageEngine } from 'multer';

export interface HashedFile {
  path: string;
  /** In bytes. */
  size: number;
  /** Hexadecimal. */
  sha256: string;
  crc32: number;
}

// Many uploads may wait for the disk at the same time; each buffers a few of these meanwhile.
const bufferBytes = 64 * 1024;

/** Multer storage that streams files to a directory and hashes them on the way. */
export class HashingStorage implements StorageEngine {
  readonly #directory: string;
  readonly #paths: string[] = [];
  readonly #streams: HashingStream[] = [];

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Number of bytes received so far, in all files. */
  get receivedBytes(): number {
    return this.#streams.reduce((sum, { size }) => sum + size, 0);
  }

  /** Deletes every file that was started. Files that were moved away are unaffected. */
  async removeFiles(): Promise<void> {
    await Promise.all(this.#paths.map((path) => rm(path, { force: true })));
  }

  _handleFile(
    _req: Request,
    file: Express.Multer.File,
    done: (error?: unknown, info?: object) => void,
  ): void {
    const path = join(this.#directory, randomUUID());
    this.#paths.push(path);
    const hashing = new HashingStream();
    this.#streams.push(hashing);
    writeFile(file.stream, hashing, path).then((info) => done(null, info), done);
  }

  _removeFile(_req: Request, file: Express.Multer.File, done: (error: Error | null) => void): void {
    rm(file.path, { force: true }).then(() => done(null), done);
  }
}

async function writeFile(source: Readable, hashing: HashingStream, path: string): Promise<HashedFile> {
  await pipeline(source, hashing, createWriteStream(path, { mode: 0o600, highWaterMark: bufferBytes }));
  return { path, ...hashing.result() };
}

/** Passes bytes through while it computes their number, SHA-256 and CRC-32. */
class HashingStream extends Transform {
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

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import type { HashedFile } from '../files/hashingStorage.ts';

/** A file that a rendering process writes. */
export interface OutputFile {
  path: string;
  handle: FileHandle;
}

/** The files of one render, in the upload directory. Disposing deletes the files that have not been moved. */
export class RenderFiles implements AsyncDisposable {
  readonly #directory: string;
  readonly #paths: string[] = [];
  readonly #handles: FileHandle[] = [];

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Copies a stored file, because the store may be on another machine. */
  async copy(content: Readable): Promise<string> {
    const path = this.#newPath();
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return path;
  }

  async output(): Promise<OutputFile> {
    const path = this.#newPath();
    const handle = await open(path, 'wx+', 0o600);
    this.#handles.push(handle);
    return { path, handle };
  }

  /** Truncates an output to its content and hashes it. */
  async finish({ path, handle }: OutputFile, size: number): Promise<HashedFile> {
    await handle.truncate(size);
    const hash = createHash('sha256');
    let crc = 0;
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
      hash.update(chunk);
      crc = crc32(chunk, crc);
    }
    return { path, size, sha256: hash.digest('hex'), crc32: crc, hasPdfHeader: true };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#handles.splice(0).map((handle) => handle.close().catch(() => {})));
    await Promise.all(this.#paths.splice(0).map((path) => rm(path, { force: true })));
  }

  #newPath(): string {
    const path = join(this.#directory, randomUUID());
    this.#paths.push(path);
    return path;
  }
}

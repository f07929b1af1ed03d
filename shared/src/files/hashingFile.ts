import { createHash } from 'node:crypto';
import { close, open, writev } from 'node:fs';
import { Writable } from 'node:stream';
import { crc32 } from 'node:zlib';

interface Options {
  /** Whether to store no bytes of a file without a PDF header. */
  pdfsOnly: boolean;
  onBytes(count: number): void;
}

type Done = (error?: Error | null) => void;

// Many uploads may wait for the disk at once. Chunks that arrive during a write are combined in the next one.
const bufferBytes = 256 * 1024;
// D28: the header is within the first 1,024 bytes.
const headerWithin = 1024;

/**
 * Writes a new file while computing its size, SHA-256 and CRC-32 and looking for a PDF header. Uses one stream instead
 * of two and few large writes, because each chunk costs more than its bytes.
 */
export class HashingFile extends Writable {
  readonly #path: string;
  readonly #options: Options;
  readonly #hash = createHash('sha256');
  #fd: number | undefined;
  #size = 0;
  #crc = 0;
  /** The start of the file, until it is long enough to look for the header. */
  #start: Buffer | undefined = Buffer.alloc(0);
  #hasPdfHeader = false;
  #isWriting = false;
  /** Called after the write in progress. */
  #afterWrite: (() => void) | undefined;

  constructor(path: string, options: Options) {
    super({ highWaterMark: bufferBytes });
    this.#path = path;
    this.#options = options;
  }

  override _construct(done: Done): void {
    open(this.#path, 'wx', 0o600, (error, fd) => {
      if (!error) this.#fd = fd;
      done(error);
    });
  }

  override _write(chunk: Buffer, _encoding: string, done: Done): void {
    this.#store([chunk], done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    this.#store(
      chunks.map(({ chunk }) => chunk),
      done,
    );
  }

  override _final(done: Done): void {
    this.#append(this.#start ? this.#endStart(this.#start) : [], done);
  }

  override _destroy(error: Error | null, done: Done): void {
    const fd = this.#fd;
    if (fd === undefined) {
      done(error);
      return;
    }
    const end = () => close(fd, (closeError) => done(error ?? closeError));
    // A descriptor closed during a write may already belong to another file.
    if (this.#isWriting) this.#afterWrite = end;
    else end();
  }

  #store(chunks: Buffer[], done: Done): void {
    let kept: Buffer[];
    try {
      kept = chunks.flatMap((chunk) => this.#observe(chunk));
    } catch (error) {
      done(error as Error);
      return;
    }
    this.#append(kept, done);
  }

  /** Returns the bytes to write. */
  #observe(chunk: Buffer): Buffer[] {
    this.#options.onBytes(chunk.length);
    this.#hash.update(chunk);
    this.#crc = crc32(chunk, this.#crc);
    this.#size += chunk.length;
    if (!this.#start) return this.#isKept ? [chunk] : [];
    const start = Buffer.concat([this.#start, chunk]);
    if (start.length >= headerWithin) return this.#endStart(start);
    this.#start = start;
    return [];
  }

  #endStart(start: Buffer): Buffer[] {
    this.#hasPdfHeader = start.subarray(0, headerWithin).includes('%PDF-');
    this.#start = undefined;
    return this.#isKept ? [start] : [];
  }

  get #isKept(): boolean {
    return this.#hasPdfHeader || !this.#options.pdfsOnly;
  }

  #append(chunks: Buffer[], done: Done): void {
    const bytes = chunks.filter(({ length }) => length > 0);
    if (bytes.length === 0 || this.#fd === undefined) {
      done();
      return;
    }
    this.#isWriting = true;
    writeAll(this.#fd, bytes, (error) => {
      this.#isWriting = false;
      this.#afterWrite?.();
      done(error);
    });
  }

  result() {
    return {
      size: this.#size,
      sha256: this.#hash.digest('hex'),
      crc32: this.#crc,
      hasPdfHeader: this.#hasPdfHeader,
    };
  }
}

function writeAll(fd: number, chunks: Buffer[], done: Done): void {
  writev(fd, chunks, (error, written) => {
    if (error) return done(error);
    const rest = skip(chunks, written);
    if (rest.length === 0) done();
    else writeAll(fd, rest, done);
  });
}

function skip(chunks: Buffer[], written: number): Buffer[] {
  let left = written;
  return chunks.flatMap((chunk) => {
    const skipped = Math.min(left, chunk.length);
    left -= skipped;
    return skipped === chunk.length ? [] : [chunk.subarray(skipped)];
  });
}

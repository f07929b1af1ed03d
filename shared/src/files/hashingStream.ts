import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { crc32 } from 'node:zlib';

interface Options {
  bufferBytes: number;
  /** Passes no bytes of a file without a PDF header. */
  pdfsOnly: boolean;
  onBytes(count: number): void;
}

// D28: the header is within the first 1,024 bytes.
const headerWithin = 1024;

/** Passes bytes through while it computes their number, SHA-256 and CRC-32, and looks for the header of a PDF. */
export class HashingStream extends Transform {
  readonly #options: Options;
  readonly #hash = createHash('sha256');
  #size = 0;
  #crc = 0;
  /** The start of the file, until there is enough of it to decide. */
  #start: Buffer | undefined = Buffer.alloc(0);
  #hasPdfHeader = false;

  constructor(options: Options) {
    super({ highWaterMark: options.bufferBytes });
    this.#options = options;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    try {
      this.#options.onBytes(chunk.length);
    } catch (error) {
      done(error as Error);
      return;
    }
    this.#hash.update(chunk);
    this.#crc = crc32(chunk, this.#crc);
    this.#size += chunk.length;
    if (this.#start) this.#decide(Buffer.concat([this.#start, chunk]));
    else this.#pass(chunk);
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#start) this.#endStart(this.#start);
    done();
  }

  #decide(start: Buffer): void {
    if (start.length < headerWithin) this.#start = start;
    else this.#endStart(start);
  }

  #endStart(start: Buffer): void {
    this.#hasPdfHeader = start.subarray(0, headerWithin).includes('%PDF-');
    this.#start = undefined;
    this.#pass(start);
  }

  #pass(bytes: Buffer): void {
    if (this.#hasPdfHeader || !this.#options.pdfsOnly) this.push(bytes);
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

import type { Readable } from 'node:stream';
import type { ReadBuffers } from './readAhead.ts';

/** Bytes from `start` to `end`, inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A file in the upload directory. */
export interface LocalFile {
  path: string;
  size: number;
  /** Hexadecimal. */
  sha256: string;
}

/**
 * Stores the contents of files under generated keys. Stored files never change. Every method throws AppError
 * `unavailable` when the store is unreachable.
 */
export interface FileStore {
  /**
   * Stores a local file durably. The SHA-256 is verified if the store supports it. May move the local file away. After
   * an error, the file may have been stored, or may still be.
   */
  put(key: string, file: LocalFile): Promise<void>;
  /**
   * Opens a stored file or a range of it.
   * @throws FileMissingError before the first byte, only when the file does not exist
   */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /**
   * Reads a whole stored file. A chunk larger than `copiedBytes` is valid only until the next chunk is requested,
   * because it may be in `buffers`, which are reused.
   * @param signal aborts the read, even when the store hangs
   * @throws FileMissingError before the first byte, only when the file does not exist
   */
  read(key: string, buffers: ReadBuffers, signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
  /**
   * Reads a stored file of the expected size into a new buffer: the whole file, or the first `size + 1` bytes of a
   * longer one.
   * @param signal aborts the read, even when the store hangs
   * @throws FileMissingError only when the file does not exist
   */
  readSized(key: string, size: number, signal: AbortSignal): Promise<Buffer>;
  /** Deletes a file, if it exists. */
  remove(key: string): Promise<void>;
  /** Readiness check: rejects when this process cannot use the store, for example because its config is wrong. */
  check(): Promise<void>;
  close(): void;
}

/** The store has no file with this key. */
export class FileMissingError extends Error {
  constructor(key: string, cause?: unknown) {
    super(`the store has no file ${key}`, { cause });
    this.name = 'FileMissingError';
  }
}

/** Returns the key. @throws Error if the key could address anything outside the store */
export function requireKey(key: string): string {
  if (!/^[\w-]{3,200}$/.test(key)) throw new Error('not a valid file key');
  return key;
}

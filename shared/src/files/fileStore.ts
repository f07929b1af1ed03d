import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Where accepted files are kept. A key is ours, never a client's name; what is stored under it never changes.
 */
export interface FileStore {
  /**
   * Stores a local file under a key. Once this resolves the bytes survive a crash of the machine. The local
   * file may be gone afterwards.
   */
  put(key: string, path: string): Promise<void>;
  /**
   * Opens a stored file, or a part of it.
   * @throws FileMissingError before the first byte, for what is not there and for nothing else
   */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Removes a file; one that is not there is fine. */
  remove(key: string): Promise<void>;
  /** Resolves when files can be stored and read. */
  check(): Promise<void>;
}

/** A row names a file that the store does not have. */
export class FileMissingError extends Error {
  constructor(key: string, cause?: unknown) {
    super(`no file ${key} in the store`, { cause });
    this.name = 'FileMissingError';
  }
}

import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A file on this machine's disk. */
export interface LocalFile {
  path: string;
  size: number;
  /** Hexadecimal. */
  sha256: string;
}

/**
 * Where accepted files are kept. A key is ours, never a client's name; what is stored under it never changes.
 * A store that is out of reach is an AppError `unavailable`.
 */
export interface FileStore {
  /**
   * Stores a local file under a key. Once this resolves the bytes are as the file's sum says, and survive a crash of
   * the machine. The local file may be gone afterwards. After an error they may be stored or not, and may still
   * come to be for a moment.
   */
  put(key: string, file: LocalFile): Promise<void>;
  /**
   * Opens a stored file, or a part of it.
   * @throws FileMissingError before the first byte, for what is not there and for nothing else
   */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Removes a file; one that is not there is fine. */
  remove(key: string): Promise<void>;
  /** Resolves when this process can store and read files, as far as that depends on it and its settings. */
  check(): Promise<void>;
  close(): void;
}

/** A row names a file that the store does not have. */
export class FileMissingError extends Error {
  constructor(key: string, cause?: unknown) {
    super(`no file ${key} in the store`, { cause });
    this.name = 'FileMissingError';
  }
}

/** @throws Error for anything that could leave the place where files are kept */
export function requireKey(key: string): string {
  if (!/^[\w-]{3,200}$/.test(key)) throw new Error('not a key of ours');
  return key;
}

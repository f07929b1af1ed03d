import type { Readable } from 'node:stream';

/** Where one backup is kept, as objects with names such as `database/quiz/files.copy.gz`. */
export interface BackupStorage {
  /** For messages: a directory, or the address in a bucket. */
  readonly location: string;
  /**
   * Whether a backup reads everything again before it reports success. A bucket compares the SHA-256 of every request
   * with its body, and only the holder of the identity can decrypt what it holds.
   */
  readonly verifiesBackups: boolean;
  /** Writes an object durably and as a whole, or not at all if `content` fails. */
  write(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  has(name: string): Promise<boolean>;
  /** Opens an object. The stream fails if the object does not exist or cannot be decrypted. */
  read(name: string): Readable;
}

/** The backups in one place. The newest name is the last one in the order of the alphabet. */
export interface Backups {
  /** The names of all backups, also of interrupted ones, in ascending order. */
  names(): Promise<string[]>;
  isComplete(name: string): Promise<boolean>;
  open(name: string): BackupStorage;
  /** @throws Error with a sentence for the operator when there is something with this name */
  create(name: string): Promise<BackupStorage>;
  remove(name: string): Promise<void>;
  /** Deletes what only backups older than this one used. */
  removeFilesBefore?(name: string): Promise<void>;
  close(): void;
}

/** Contains no personal data. Written last, so that a backup with a manifest is complete. */
export const manifestName = 'manifest.json';

/** @throws Error with a sentence for the operator when no backup is complete */
export async function newestComplete(backups: Backups): Promise<string> {
  for (const name of (await backups.names()).toReversed()) if (await backups.isComplete(name)) return name;
  throw new Error('there is no complete backup');
}

/** A name from the time, to the second. */
export const newName = (): string => new Date().toISOString().replaceAll(':', '-').slice(0, 19);

export const isNameOfBackup = (name: string): boolean => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/.test(name);

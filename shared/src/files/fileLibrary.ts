import { randomUUID } from 'node:crypto';
import type { Sequelize, Transaction } from 'sequelize';
import { selectRows } from '../database/connection.ts';
import { keysetPages } from '../database/keysetPages.ts';
import { toAppError } from '../errors/toAppError.ts';
import { measureStore } from '../metrics/fileStore.ts';
import type { Logger } from '../process/logger.ts';
import { runEvery } from '../process/runEvery.ts';
import { fileColumns } from './fileColumns.ts';
import type { FileStore } from './fileStore.ts';
import type { ReceivedFile } from './receiveForm.ts';

/** A row of `files`. */
export interface LibraryFile {
  id: number;
  /** Key in the file store. */
  key: string;
  /** The client's file name. */
  name: string;
  /** In bytes. */
  size: number;
  /** Hexadecimal. */
  sha256: string;
  crc32: number;
}

/*
 * States of a file: pending → attached → removed, or pending → removed. An attached file can be reduced to its row.
 *
 * The row is inserted before the bytes are stored, and the bytes are stored before the record that refers to them is
 * committed. A crash in between leaves a pending row, but never a record without its file or a file without a row.
 *
 * Bytes are deleted only after their row is committed as removed, and only an unattached file becomes removed without
 * its record. So a record whose COMMIT was sent, but not answered, has its file: the row is attached, or it waits for the
 * transaction that attaches it. `discard` removes pending files immediately; the sweep removes files pending for an
 * hour, and deletes the bytes and rows of removed files.
 */
const insert = `
  INSERT INTO files AS f (key, name, size, sha256, crc32) VALUES ($1, $2, $3, $4, $5)
  RETURNING ${fileColumns}`;

const attach = `
  UPDATE files SET attached_at = now()
  WHERE id = ANY($1) AND attached_at IS NULL AND removed_at IS NULL
  RETURNING id`;
const find = `
  SELECT ${fileColumns} FROM files f
  WHERE id = $1 AND attached_at IS NOT NULL AND removed_at IS NULL AND reduced_at IS NULL`;
const markRemoved = 'UPDATE files SET removed_at = now() WHERE id = ANY($1)';
const removeUnattached = `
  UPDATE files SET removed_at = now() WHERE id = ANY($1) AND attached_at IS NULL
  RETURNING id, key`;
const removeAbandoned = `
  UPDATE files SET removed_at = now() WHERE id IN (
    SELECT id FROM files
    WHERE attached_at IS NULL AND removed_at IS NULL AND created_at < now() - interval '1 hour'
    FOR UPDATE SKIP LOCKED)`;
const removed = 'SELECT id, key FROM files WHERE removed_at IS NOT NULL AND id > $1 ORDER BY id LIMIT $2';
const deleteRow = 'DELETE FROM files WHERE id = $1 AND removed_at IS NOT NULL';
const markReduced = 'UPDATE files SET reduced_at = now() WHERE id = ANY($1) AND reduced_at IS NULL';
const reduced = `
  SELECT id, key FROM files WHERE reduced_at IS NOT NULL AND bytes_deleted_at IS NULL AND id > $1
  ORDER BY id LIMIT $2`;
const markBytesDeleted = 'UPDATE files SET bytes_deleted_at = now() WHERE id = $1';
const sweptAtOnce = 500;

type StoredFile = Pick<LibraryFile, 'id' | 'key'>;

/** The files of a service: contents in a store, and one row of the table `files` for each. */
export class FileLibrary {
  readonly #sequelize: Sequelize;
  readonly #store: FileStore;
  readonly #log: Logger;

  constructor(sequelize: Sequelize, store: FileStore, log: Logger) {
    this.#sequelize = sequelize;
    this.#store = measureStore(store);
    this.#log = log;
  }

  /** Stores received files durably, in the state pending. All of them or none. */
  async storePending(received: ReceivedFile[]): Promise<LibraryFile[]> {
    const stored: LibraryFile[] = [];
    try {
      for (const file of received) {
        const bind = [randomUUID(), file.name, file.size, file.sha256, file.crc32];
        const [row] = await selectRows<LibraryFile>(this.#sequelize, insert, bind);
        if (!row) throw new Error('the file row was not inserted');
        await this.#store.put(row.key, file);
        stored.push(row);
      }
      return stored;
    } catch (error) {
      // The row of the file that failed stays until the sweep, because its bytes may still reach the store.
      await this.discard(stored);
      throw error;
    }
  }

  /** Attaches pending files, in the transaction that writes the record which refers to them. */
  async attach(files: LibraryFile[], transaction: Transaction): Promise<void> {
    const ids = files.map(({ id }) => id);
    const attached = await selectRows(this.#sequelize, attach, [ids], transaction);
    // The sweep has deleted a file, so the record must not be written.
    if (attached.length !== ids.length) throw new Error('a pending file was swept before it was attached');
  }

  /**
   * Deletes those of these files that no record refers to. A transaction that attaches them may be in doubt: then they
   * stay. Never throws: the sweep deletes files that remain.
   */
  async discard(files: StoredFile[]): Promise<void> {
    if (files.length === 0) return;
    try {
      const ids = files.map(({ id }) => id);
      const unattached = await selectRows<StoredFile>(this.#sequelize, removeUnattached, [ids]);
      await this.#deleteBytes(unattached, deleteRow);
    } catch (error) {
      this.#log.warn({ err: error }, 'could not discard files; left to the sweep');
    }
  }

  /** Finds an attached file. */
  async find(id: number): Promise<LibraryFile | undefined> {
    const [row] = await selectRows<LibraryFile>(this.#sequelize, find, [id]);
    return row;
  }

  /** Marks files as removed, in the transaction that deletes the references to them. The sweep deletes their bytes. */
  async remove(ids: number[], transaction: Transaction): Promise<void> {
    await this.#sequelize.query(markRemoved, { bind: [ids], transaction });
    this.#sweepAfter(transaction);
  }

  /** Reduces attached files to their rows. Their bytes are deleted after the transaction has committed (D49). */
  async reduce(ids: number[], transaction: Transaction): Promise<void> {
    if (ids.length === 0) return;
    await this.#sequelize.query(markReduced, { bind: [ids], transaction });
    this.#sweepAfter(transaction);
  }

  /** Deletes the bytes and rows of all files that no record refers to, and the bytes of reduced files. */
  async sweep(): Promise<void> {
    await this.#sequelize.query(removeAbandoned);
    for await (const page of this.#pages(removed)) await this.#deleteBytes(page, deleteRow);
    for await (const page of this.#pages(reduced)) await this.#deleteBytes(page, markBytesDeleted);
  }

  /** Sweeps now and every hour. Returns a function that stops. */
  sweepHourly(): () => Promise<void> {
    return runEvery({
      everyMs: 3_600_000,
      startNow: true,
      task: () => this.sweep(),
      log: this.#log,
      failureMessage: 'could not sweep the files',
    });
  }

  #sweepAfter(transaction: Transaction): void {
    transaction.afterCommit(() => void this.sweep().catch(() => {}));
  }

  #pages(select: string): AsyncGenerator<StoredFile[]> {
    return keysetPages((last) => selectRows(this.#sequelize, select, [last?.id ?? 0, sweptAtOnce]));
  }

  // Bytes first, so that the sweep finds the row that a failure leaves.
  async #deleteBytes(files: StoredFile[], then: string): Promise<void> {
    for (const { id, key } of files)
      try {
        await this.#store.remove(key);
        await this.#sequelize.query(then, { bind: [id] });
      } catch (error) {
        // Each further file would wait for the same unreachable store or database.
        if (toAppError(error).code === 'unavailable') throw error;
        this.#log.warn(
          { err: error, file_id: id },
          'could not delete the bytes of a file; left to the sweep',
        );
      }
  }

  open(file: LibraryFile, range?: { start: number; end: number }) {
    return this.#store.open(file.key, range);
  }

  get store(): FileStore {
    return this.#store;
  }
}

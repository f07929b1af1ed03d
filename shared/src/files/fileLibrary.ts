import { randomUUID } from 'node:crypto';
import type { Sequelize, Transaction } from 'sequelize';
import { keysetPages } from '../database/keysetPages.ts';
import { query } from '../database/query.ts';
import { toAppError } from '../errors/toAppError.ts';
import type { Logger } from '../process/logger.ts';
import { runEvery } from '../process/runEvery.ts';
import * as sql from './fileStatements.ts';
import type { FileStore } from './fileStore.ts';
import { measureStore } from './fileStoreMetrics.ts';
import type { ReadBuffers } from './readAhead.ts';
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

const sweptAtOnce = 500;

type StoredFile = Pick<LibraryFile, 'id' | 'key'>;

/** The files of a service. A store holds their contents; each file has one row in the table `files`. */
export class FileLibrary {
  readonly #db: Sequelize;
  readonly #store: FileStore;
  readonly #log: Logger;

  constructor(sequelize: Sequelize, store: FileStore, log: Logger) {
    this.#db = sequelize;
    this.#store = measureStore(store);
    this.#log = log;
  }

  /** Stores received files durably in the state pending, either all or none. */
  async storePending(received: ReceivedFile[]): Promise<LibraryFile[]> {
    if (received.length === 0) return [];
    const pending = await this.#insert(received);
    for (const { row, file } of pending)
      try {
        await this.#store.put(row.key, file);
      } catch (error) {
        // The row of the failed file stays until the sweep, because its bytes may still reach the store.
        await this.discard(pending.map((other) => other.row).filter((other) => other !== row));
        throw error;
      }
    return pending.map(({ row }) => row);
  }

  async #insert(received: ReceivedFile[]): Promise<{ row: LibraryFile; file: ReceivedFile }[]> {
    const keys = received.map(() => randomUUID());
    const column = (name: 'name' | 'size' | 'sha256' | 'crc32') => received.map((file) => file[name]);
    const values = [keys, column('name'), column('size'), column('sha256'), column('crc32')];
    const rows = await query<LibraryFile>(this.#db, { name: 'pending files', sql: sql.insert, values });
    const rowOf = new Map(rows.map((row) => [row.key, row]));
    return received.map((file, index) => {
      const row = rowOf.get(keys[index] ?? '');
      if (!row) throw new Error('the file row was not inserted');
      return { row, file };
    });
  }

  /**
   * Attaches pending files in the transaction that writes the record referring to them. For a person's record, also
   * takes the lock of `findErased`; the next statement of the transaction must check that the person is not erased.
   */
  async attach(files: LibraryFile[], transaction: Transaction, personId?: number): Promise<void> {
    const ids = files.map(({ id }) => id);
    const attached =
      personId === undefined
        ? await query(this.#db, { sql: sql.attach, values: [ids], transaction })
        : await query(this.#db, {
            name: 'attach',
            sql: sql.attachOfPerson,
            values: [ids, personId],
            transaction,
          });
    // The sweep has deleted a file, so the record must not be written.
    if (attached.length !== ids.length) throw new Error('a pending file was swept before it was attached');
  }

  /**
   * Deletes those files that no record refers to. If it is unknown whether the attaching transaction committed, keeps
   * them if it did. Never throws: the sweep deletes remaining files.
   */
  async discard(files: StoredFile[]): Promise<void> {
    if (files.length === 0) return;
    try {
      const ids = files.map(({ id }) => id);
      const unattached = await query<StoredFile>(this.#db, { sql: sql.removeUnattached, values: [ids] });
      await this.#deleteBytes(unattached, sql.deleteRow);
    } catch (error) {
      this.#log.warn({ err: error }, 'could not discard files; left to the sweep');
    }
  }

  /** Finds an attached file. */
  async find(id: number): Promise<LibraryFile | undefined> {
    const [row] = await query<LibraryFile>(this.#db, { sql: sql.find, values: [id] });
    return row;
  }

  /**
   * Marks files and the PDFs rendered from them as removed, in the transaction that deletes the references to the
   * files. The sweep deletes their bytes.
   */
  async remove(ids: number[], transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: sql.markRemoved, values: [ids], transaction });
    await query(this.#db, { sql: sql.removeRendered, values: [ids], transaction });
    this.#sweepAfter(transaction);
  }

  /** Reduces attached files to their rows. Their bytes are deleted after the commit (D49). */
  async reduce(ids: number[], transaction: Transaction): Promise<void> {
    if (ids.length === 0) return;
    await query(this.#db, { sql: sql.markReduced, values: [ids], transaction });
    await query(this.#db, { sql: sql.removeRendered, values: [ids], transaction });
    this.#sweepAfter(transaction);
  }

  /** Deletes the bytes and rows of all files that no record refers to, and the bytes of reduced files. */
  async sweep(): Promise<void> {
    await query(this.#db, { sql: sql.removeAbandoned });
    for await (const page of this.#pages(sql.removed)) await this.#deleteBytes(page, sql.deleteRow);
    for await (const page of this.#pages(sql.reduced)) await this.#deleteBytes(page, sql.markBytesDeleted);
  }

  /** Sweeps now and every hour. Returns a function that stops it. */
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
    return keysetPages((last) => query(this.#db, { sql: select, values: [last?.id ?? 0, sweptAtOnce] }));
  }

  // Bytes are deleted first, so that after a failure the sweep still finds the row.
  async #deleteBytes(files: StoredFile[], then: string): Promise<void> {
    for (const { id, key } of files)
      try {
        await this.#store.remove(key);
        await query(this.#db, { sql: then, values: [id] });
      } catch (error) {
        // Every other file would wait for the same unreachable store or database.
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

  read(file: LibraryFile, buffers: ReadBuffers, signal: AbortSignal) {
    return this.#store.read(file.key, buffers, signal);
  }

  readSized(file: LibraryFile, signal: AbortSignal) {
    return this.#store.readSized(file.key, file.size, signal);
  }

  get store(): FileStore {
    return this.#store;
  }
}

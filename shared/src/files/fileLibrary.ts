import { randomUUID } from 'node:crypto';
import type { Sequelize, Transaction } from 'sequelize';
import { selectRows } from '../database/connection.ts';
import { AppError } from '../errors/appError.ts';
import { measureStore } from '../metrics/fileStore.ts';
import type { Logger } from '../process/logger.ts';
import type { FileStore } from './fileStore.ts';
import type { ReceivedFile } from './receiveForm.ts';

/** A row of `files`: what is known of a stored file. */
export interface LibraryFile {
  id: number;
  key: string;
  name: string;
  size: number;
  sha256: string;
  crc32: number;
}

/*
 * The life of a file: pending → attached → removed.
 *
 * A row is written before its bytes are stored, and the bytes before the record that refers to them; so whatever
 * ends in between leaves a pending row behind, never a record without its file nor bytes that nobody knows of.
 * `discard` cleans up at once, and the sweep what a crash left: rows that stayed pending for an hour, and rows
 * that were removed.
 */
const insert = `
  INSERT INTO files (key, name, size, sha256, crc32) VALUES ($1, $2, $3, $4, $5)
  RETURNING id, key, name, size::float8 AS size, sha256, crc32::float8 AS crc32`;

const attach = 'UPDATE files SET attached_at = now() WHERE id = ANY($1) AND attached_at IS NULL RETURNING id';
const find = `
  SELECT id, key, name, size::float8 AS size, sha256, crc32::float8 AS crc32 FROM files
  WHERE id = $1 AND attached_at IS NOT NULL AND removed_at IS NULL`;
const markRemoved = 'UPDATE files SET removed_at = now() WHERE id = ANY($1)';
const leftovers = `
  SELECT id, key FROM files
  WHERE removed_at IS NOT NULL OR (attached_at IS NULL AND created_at < now() - interval '1 hour')
  LIMIT 500`;
const forget = 'DELETE FROM files WHERE id = $1';

/** A service's files: their bytes in a store, and the table `files` that knows of every one of them. */
export class FileLibrary {
  readonly #sequelize: Sequelize;
  readonly #store: FileStore;
  readonly #log: Logger;

  constructor(sequelize: Sequelize, store: FileStore, log: Logger) {
    this.#sequelize = sequelize;
    this.#store = measureStore(store);
    this.#log = log;
  }

  /** Stores received files, each durably once this resolves, and pending. All of them or none. */
  async keep(received: ReceivedFile[]): Promise<LibraryFile[]> {
    const kept: LibraryFile[] = [];
    try {
      for (const file of received) {
        const bind = [randomUUID(), file.name, file.size, file.sha256, file.crc32];
        const [row] = await selectRows<LibraryFile>(this.#sequelize, insert, bind);
        if (!row) throw new Error('the file was not noted');
        await this.#store.put(row.key, file);
        kept.push(row);
      }
      return kept;
    } catch (error) {
      // Not the one that failed: its bytes may still arrive in the store, so its row stays until the sweep.
      await this.discard(kept);
      throw error;
    }
  }

  /** Makes pending files part of a record, in the transaction that writes the record. */
  async attach(files: LibraryFile[], transaction: Transaction): Promise<void> {
    const ids = files.map(({ id }) => id);
    const attached = await selectRows(this.#sequelize, attach, [ids], transaction);
    // The sweep was faster: the bytes are gone, so the record must not be.
    if (attached.length !== ids.length) throw new Error('a file was swept away before it was attached');
  }

  /** Takes back files that no record came to refer to. Never fails: what is left over is swept later. */
  async discard(files: Pick<LibraryFile, 'id' | 'key'>[]): Promise<void> {
    for (const { id, key } of files) {
      try {
        await this.#store.remove(key);
        await this.#sequelize.query(forget, { bind: [id] });
      } catch (error) {
        this.#log.warn({ err: error, file_id: id }, 'a discarded file is left to the sweep');
        // The store is away, for all of them; each would wait for it anew.
        if (error instanceof AppError && error.code === 'unavailable') return;
      }
    }
  }

  async find(id: number): Promise<LibraryFile | undefined> {
    const [row] = await selectRows<LibraryFile>(this.#sequelize, find, [id]);
    return row;
  }

  /** Marks files as removed, in the transaction that stops referring to them. Their bytes go with the sweep. */
  async remove(ids: number[], transaction: Transaction): Promise<void> {
    await this.#sequelize.query(markRemoved, { bind: [ids], transaction });
    transaction.afterCommit(() => void this.sweep().catch(() => {}));
  }

  /** Removes the bytes and rows of what nobody refers to. */
  async sweep(): Promise<void> {
    await this.discard(await selectRows<LibraryFile>(this.#sequelize, leftovers));
  }

  /** Sweeps now and every hour. Returns how to stop. */
  sweepHourly(): () => void {
    const sweep = () =>
      this.sweep().catch((error) => this.#log.warn({ err: error }, 'could not sweep the files'));
    void sweep();
    const timer = setInterval(sweep, 3_600_000);
    return () => clearInterval(timer);
  }

  open(file: LibraryFile, range?: { start: number; end: number }) {
    return this.#store.open(file.key, range);
  }

  get store(): FileStore {
    return this.#store;
  }
}

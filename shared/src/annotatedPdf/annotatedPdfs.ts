import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Sequelize, Transaction } from 'sequelize';
import { inTransaction, selectRows } from '../database/connection.ts';
import { AppError, notFound } from '../errors/appError.ts';
import type { FileLibrary, LibraryFile } from '../files/fileLibrary.ts';
import * as sql from './annotatedPdfStatements.ts';
import type { DrawingRequest, PdfDrawer } from './pdfDrawer.ts';

/** The current state of a submission, which determines its annotated PDF. */
export interface AnnotatedSubmission extends DrawingRequest {
  id: number;
}

interface Dependencies {
  sequelize: Sequelize;
  files: FileLibrary;
  drawer: PdfDrawer;
}

// Increment it when the drawing changes, so that cached PDFs are drawn again.
const appearance = 2;
const mostRefusals = 10_000;

/**
 * Annotated PDFs of submissions, drawn when they are opened and kept in the file library until the submission or a file
 * changes.
 *
 * One is kept for each submission, under a fingerprint of everything that is drawn: the files' SHA-256, the marks and
 * the summary, so that a stale one is never returned. A change of the submission removes it by a trigger; a transaction that
 * removes a file also removes the PDFs drawn from it (fileLibrary.ts, eraseFiles.ts). A file that cannot be drawn on is
 * refused without another drawing until the submission changes or the process ends.
 */
export class AnnotatedPdfs {
  readonly #dependencies: Dependencies;
  /** Drawings in progress by fingerprint: those who open the same PDF meanwhile wait for it. */
  readonly #drawing = new Map<string, Promise<LibraryFile>>();
  /** What cannot be drawn, by fingerprint: it may take the whole limit of CPU time to find out. */
  readonly #refusals = new LRUCache<string, AppError>({ max: mostRefusals });

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the annotated PDF of this state. It is a file of the library, to be sent with `sendFile`.
   * @throws AppError `conflict` when it cannot be drawn, `unavailable` when the drawing fails, `not_found` when a file has been
   * removed meanwhile
   */
  async open(submission: AnnotatedSubmission): Promise<LibraryFile> {
    const fingerprint = fingerprintOf(submission);
    const [kept] = await selectRows<LibraryFile>(this.#dependencies.sequelize, sql.find, [
      submission.id,
      fingerprint,
    ]);
    if (kept) return kept;
    const refusal = this.#refusals.get(fingerprint);
    if (refusal) throw refusal;
    const begun = this.#drawing.get(fingerprint);
    if (begun) return begun;
    const drawing = this.#draw(submission, fingerprint)
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'conflict') this.#refusals.set(fingerprint, error);
        throw error;
      })
      .finally(() => this.#drawing.delete(fingerprint));
    this.#drawing.set(fingerprint, drawing);
    return drawing;
  }

  async #draw(submission: AnnotatedSubmission, fingerprint: string): Promise<LibraryFile> {
    const { sequelize, files, drawer } = this.#dependencies;
    await using drawn = await drawer.draw(submission);
    const [stored] = await files.storePending([drawn]);
    if (!stored) throw new Error('the annotated PDF was not stored');
    try {
      await inTransaction(sequelize, (transaction) =>
        this.#keep(submission, fingerprint, stored, transaction),
      );
      return stored;
    } catch (error) {
      await files.discard([stored]);
      throw error;
    }
  }

  async #keep(
    submission: AnnotatedSubmission,
    fingerprint: string,
    stored: LibraryFile,
    transaction: Transaction,
  ): Promise<void> {
    const { sequelize, files } = this.#dependencies;
    const sources = [...new Set(submission.files.map(({ id }) => id))];
    await sequelize.query(sql.lock, { bind: [submission.id], transaction });
    // A transaction that removes or erases a file afterwards waits for this one, and then finds the PDF drawn from it.
    const present = await selectRows(sequelize, sql.lockSources, [sources], transaction);
    if (present.length !== sources.length) throw notFound();
    const earlier = await selectRows<{ fileId: number }>(
      sequelize,
      sql.removeKept,
      [submission.id],
      transaction,
    );
    await files.remove(
      earlier.map(({ fileId }) => fileId),
      transaction,
    );
    await files.attach([stored], transaction);
    await sequelize.query(sql.insert, {
      bind: [submission.id, fingerprint, sources, stored.id],
      transaction,
    });
  }
}

function fingerprintOf({ files, marks, summary }: AnnotatedSubmission): string {
  const parts = [appearance, files.map(({ id, sha256, name }) => [id, sha256, name]), marks, summary];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

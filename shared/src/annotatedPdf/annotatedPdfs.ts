import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Sequelize, Transaction } from 'sequelize';
import { inTransaction } from '../database/connection.ts';
import { query } from '../database/query.ts';
import { AppError, notFound } from '../errors/appError.ts';
import type { FileLibrary, LibraryFile } from '../files/fileLibrary.ts';
import * as sql from './annotatedPdfStatements.ts';
import type { PdfRenderer, RenderRequest } from './pdfRenderer.ts';

/** The current state of a submission, which determines its annotated PDF. */
export interface AnnotatedSubmission extends RenderRequest {
  id: number;
}

interface Dependencies {
  sequelize: Sequelize;
  files: FileLibrary;
  renderer: PdfRenderer;
}

// Increment when rendering changes, so that stored PDFs are rendered again.
const appearance = 3;
const maxRefusals = 10_000;

/**
 * Renders the annotated PDF of a submission when it is opened, and stores it in the file library until the submission
 * or one of its files changes.
 *
 * At most one PDF is stored per submission. Its fingerprint covers everything that is rendered: the files' SHA-256, the
 * marks and the summary, so a stale PDF is never returned. A database trigger removes it when the submission changes. A
 * transaction that removes a file also removes the PDFs rendered from it (fileLibrary.ts, eraseFiles.ts). A file that
 * cannot be annotated is refused without another attempt until the submission changes or the process ends.
 */
export class AnnotatedPdfs {
  readonly #dependencies: Dependencies;
  /** Renders in progress, by fingerprint. Concurrent requests for the same PDF share one. */
  readonly #rendering = new Map<string, Promise<LibraryFile>>();
  /** Failed renders, by fingerprint: an attempt can use the full CPU time limit before it fails. */
  readonly #refusals = new LRUCache<string, AppError>({ max: maxRefusals });

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the annotated PDF of this state: a file of the library, to be sent with `sendFile`.
   * @throws AppError `conflict` when it cannot be rendered, `unavailable` when rendering fails, `not_found` when a file
   * has been removed in the meantime
   */
  async open(submission: AnnotatedSubmission): Promise<LibraryFile> {
    const fingerprint = fingerprintOf(submission);
    const [kept] = await query<LibraryFile>(this.#dependencies.sequelize, {
      sql: sql.find,
      values: [submission.id, fingerprint],
    });
    if (kept) return kept;
    const refusal = this.#refusals.get(fingerprint);
    if (refusal) throw refusal;
    const begun = this.#rendering.get(fingerprint);
    if (begun) return begun;
    const rendering = this.#render(submission, fingerprint)
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'conflict') this.#refusals.set(fingerprint, error);
        throw error;
      })
      .finally(() => this.#rendering.delete(fingerprint));
    this.#rendering.set(fingerprint, rendering);
    return rendering;
  }

  async #render(submission: AnnotatedSubmission, fingerprint: string): Promise<LibraryFile> {
    const { sequelize, files, renderer } = this.#dependencies;
    await using rendered = await renderer.render(submission);
    const [stored] = await files.storePending([rendered]);
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
    await query(sequelize, { sql: sql.lock, values: [submission.id], transaction });
    // A transaction that later removes or erases a file waits for this one, and then finds the PDF rendered from it.
    const present = await query(sequelize, { sql: sql.lockSources, values: [sources], transaction });
    if (present.length !== sources.length) throw notFound();
    const earlier = await query<{ fileId: number }>(sequelize, {
      sql: sql.removeKept,
      values: [submission.id],
      transaction,
    });
    await files.remove(
      earlier.map(({ fileId }) => fileId),
      transaction,
    );
    await files.attach([stored], transaction);
    await query(sequelize, {
      sql: sql.insert,
      values: [submission.id, fingerprint, sources, stored.id],
      transaction,
    });
  }
}

function fingerprintOf({ files, marks, summary }: AnnotatedSubmission): string {
  const parts = [appearance, files.map(({ id, sha256, name }) => [id, sha256, name]), marks, summary];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { byteOrderMark, escapeCsvFormula, toCsv } from '@gradeway/shared/csv/writeCsv';
import type { Clock } from '@gradeway/shared/http/timestamps';
import type { ArchiveRequest, SubmissionKind, SubmittedFile } from './submittedFiles.ts';

const columns = [
  'file',
  'student_id',
  'student_name',
  'student_email',
  'kind',
  'item_id',
  'title',
  'sha256',
  'submitted_at',
  'grade',
  'total_grade',
  'status',
];

const rowsPerBlock = 200;

/**
 * The `manifest.csv` of an archive (RFC 4180), with one row per file. It comes last, because only then is it known
 * which files were found. Until then its rows are held in compressed blocks of about seventy bytes per file.
 */
export class SubmissionsManifest {
  readonly #clock: Clock;
  readonly #annotated: boolean;
  readonly #bom: boolean;
  readonly #blocks: Buffer[] = [];
  #rows: unknown[][];

  /** With `annotated`, the last column states whether the file has an annotated copy. */
  constructor(clock: Clock, { annotated, bom }: Pick<ArchiveRequest, 'annotated' | 'bom'>) {
    this.#clock = clock;
    this.#annotated = annotated;
    this.#bom = bom;
    this.#rows = [annotated ? [...columns, 'annotated'] : columns];
  }

  add(kind: SubmissionKind, path: string, file: SubmittedFile): void {
    this.#rows.push([
      escapeCsvFormula(path),
      file.studentId,
      escapeCsvFormula(file.studentName),
      escapeCsvFormula(file.studentEmail),
      kind,
      file.itemId,
      escapeCsvFormula(file.itemTitle),
      file.sha256,
      this.#clock.format(submittedAt(file)),
      file.grade,
      file.totalGrade,
      statusOf(file),
      ...(this.#annotated ? [file.annotated ? 'true' : 'false'] : []),
    ]);
    if (this.#rows.length >= rowsPerBlock) this.#compressRows();
  }

  /** Yields the whole file in chunks. */
  *content(): Generator<Buffer> {
    this.#compressRows();
    if (this.#bom) yield Buffer.from(byteOrderMark);
    for (const block of this.#blocks) yield inflateRawSync(block);
  }

  #compressRows(): void {
    this.#blocks.push(deflateRawSync(toCsv(this.#rows)));
    this.#rows = [];
  }
}

const statusOf = ({ missing, damaged }: SubmittedFile): string => {
  if (damaged) return 'damaged';
  return missing ? 'missing' : 'found';
};

export const submittedAt = ({ submittedAt: time }: Pick<SubmittedFile, 'submittedAt'>): Date =>
  new Date((time?.seconds ?? 0) * 1000 + (time?.nanos ?? 0) / 1e6);

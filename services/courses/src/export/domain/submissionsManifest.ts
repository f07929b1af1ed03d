import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Clock } from '@gradeway/shared/http/timestamps';
import { stringify } from 'csv-stringify/sync';
import { escapeCsvFormula } from './escapeCsvFormula.ts';
import type { SubmissionKind } from './submissionsArchive.ts';
import type { SubmittedContent } from './submittedFiles.ts';

const columns = [
  ...['file', 'student_id', 'student_name', 'student_email', 'kind', 'item_id', 'title'],
  ...['sha256', 'submitted_at', 'grade', 'total_grade', 'status'],
];

const packedAtOnce = 200;

/**
 * The `manifest.csv` of an archive (RFC 4180): a line a file, with what became of it. It is known only at the end which
 * files were found, so the lines are kept until then, packed: some seventy bytes a file, less than the archive itself
 * has to remember of each.
 */
export class SubmissionsManifest {
  readonly #clock: Clock;
  readonly #packed: Buffer[] = [];
  #lines: unknown[][] = [columns];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(kind: SubmissionKind, path: string, file: SubmittedContent): void {
    const { studentId, studentName, studentEmail, itemId, itemTitle, sha256, grade, totalGrade } = file;
    this.#lines.push([
      ...[escapeCsvFormula(path), studentId, escapeCsvFormula(studentName), escapeCsvFormula(studentEmail)],
      ...[kind, itemId, escapeCsvFormula(itemTitle), sha256, this.#clock.format(submittedAt(file))],
      ...[grade, totalGrade, file.missing ? 'missing' : 'found'],
    ]);
    if (this.#lines.length >= packedAtOnce) this.#pack();
  }

  /** All of it, piece by piece. */
  *content(): Generator<Buffer> {
    this.#pack();
    for (const packed of this.#packed) yield inflateRawSync(packed);
  }

  #pack(): void {
    const text = stringify(this.#lines, { record_delimiter: 'windows' });
    this.#packed.push(deflateRawSync(text));
    this.#lines = [];
  }
}

export const submittedAt = ({ submittedAt: time }: Pick<SubmittedContent, 'submittedAt'>): Date =>
  new Date((time?.seconds ?? 0) * 1000 + (time?.nanos ?? 0) / 1e6);

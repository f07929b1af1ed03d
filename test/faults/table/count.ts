import type { Grading, Kind, Ledger, Upload } from './ledger.ts';
import { findOrphans } from './orphans.ts';
import { gradebookRows, gradingRows, type StoredSubmission, submissionRows } from './storedRows.ts';
import type { SystemUnderTest } from './system.ts';

export interface Count {
  /** Accepted uploads and gradings that are stored. */
  found: number;
  /** Accepted, but not stored. */
  lost: string[];
  /** Stored more than once. */
  doubled: string[];
  /** Partially stored: a row without its file, a grade that is not in the gradebook, bytes without a row. */
  halfDone: string[];
}

const kinds: Kind[] = ['quiz', 'homework'];

/** Compares the responses that clients received with the stored data. */
export async function countStored(system: SystemUnderTest, ledger: Ledger): Promise<Count> {
  const count: Count = { found: 0, lost: [], doubled: [], halfDone: [] };
  for (const kind of kinds) {
    const uploads = ledger.uploads.filter((each) => each.kind === kind);
    const submissions = await submissionRows(system, kind, [...new Set(uploads.map(({ itemId }) => itemId))]);
    const byOwner = new Map(submissions.map((row) => [`${row.itemId}/${row.studentId}`, row]));
    const sums = await system.storedSums(
      kind,
      submissions.flatMap(({ key }) => key ?? []),
    );
    for (const upload of uploads)
      countUpload(count, sums, upload, byOwner.get(`${upload.itemId}/${upload.studentId}`));
    const gradings = ledger.gradings.filter((each) => each.kind === kind);
    await countGradings(count, system, kind, submissions, gradings);
    count.halfDone.push(...(await findOrphans(system, kind)));
  }
  return count;
}

function countUpload(
  count: Count,
  sums: Map<string, string>,
  upload: Upload,
  row: StoredSubmission | undefined,
): void {
  const name = `${upload.kind} ${upload.itemId} of student ${upload.studentId}`;
  if (!row) {
    if (upload.outcome === 'accepted') count.lost.push(`${name}: no submission`);
    return;
  }
  if (upload.outcome === 'refused') count.halfDone.push(`${name}: refused, and yet stored`);
  if (row.files > 1) count.doubled.push(`${name}: ${row.files} files`);
  const sum = row.key === null ? undefined : sums.get(row.key);
  if (!row.attached) count.halfDone.push(`${name}: submission without an attached file`);
  else if (sum !== upload.sha256)
    count.halfDone.push(`${name}: ${sum ? 'other bytes' : 'no bytes'} in the store`);
  else if (row.events < 1) count.halfDone.push(`${name}: no event`);
  else if (upload.outcome === 'accepted') count.found += 1;
}

async function countGradings(
  count: Count,
  system: SystemUnderTest,
  kind: Kind,
  submissions: StoredSubmission[],
  gradings: Grading[],
): Promise<void> {
  const ids = submissions.map(({ id }) => id);
  const history = await gradingRows(system, kind, ids);
  for (const { submissionId, mark, outcome } of gradings) {
    const stored = history.filter((row) => row.submissionId === submissionId && row.mark === mark).length;
    const name = `grading ${mark} of ${kind} submission ${submissionId}`;
    if (stored === 0 && outcome === 'accepted') count.lost.push(name);
    if (stored > 1) count.doubled.push(`${name}: ${stored} times`);
    if (stored > 0 && outcome === 'refused') count.halfDone.push(`${name}: refused, and yet stored`);
    if (stored > 0 && outcome === 'accepted') count.found += 1;
  }
  const gradebook = new Map((await gradebookRows(system, kind, ids)).map((row) => [row.submissionId, row]));
  for (const { id, grade, revision } of submissions) {
    const name = `${kind} submission ${id}`;
    const entry = gradebook.get(id);
    const last = history.findLast((row) => row.submissionId === id);
    if (last && last.grade !== grade)
      count.halfDone.push(`${name}: its grade differs from the last one in its history`);
    if (grade !== null && !entry) count.lost.push(`${name}: not in the gradebook`);
    if (grade === null && entry) count.halfDone.push(`${name}: in the gradebook without a grade`);
    if (grade !== null && entry && (entry.grade !== grade || entry.revision !== revision))
      count.halfDone.push(`${name}: the gradebook has revision ${entry.revision} of ${revision}`);
  }
}

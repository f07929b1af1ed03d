import type { Transaction } from 'sequelize';
import { keysetPages } from '../database/keysetPages.ts';
import { invalid } from '../errors/appError.ts';
import { inChildSpan } from '../tracing/span.ts';
import { fromPoints, type Points, toPoints } from './points.ts';
import { conflictIn, pointsOf, type Rubric } from './rubric.ts';

/** Work that was graded with a rubric: a submission, or its answer to one question. */
export interface ByRubric {
  /** The submission. */
  id: number;
  /** The name that replaces the student's while the item is anonymous. */
  studentName: string | null;
  selection: number[];
  adjustment: Points;
  /** Its position in the queue, as text that PostgreSQL reads. */
  key: string;
}

/** A grade, or the points of an answer, before and after a change. */
interface Change {
  from: number;
  to: number;
  /** The total grade, or the maximum of the question. */
  total: number;
  /** Whether it is a new grading. The total of a grade may change alone. */
  isChanged: boolean;
}

/** The result for one row of the work. */
export interface Regraded extends Change {
  id: number;
  selection: number[];
}

export interface RegradedBy {
  rubricRevision: number;
  /** The person who changed the rubric, for the history. The work keeps its grader. */
  userId: number;
  at: Date;
}

/** All work that was graded with one rubric. */
export interface WorkByRubric<Row extends ByRubric = ByRubric> {
  /** Locks all of it until the end of the transaction, against gradings that do not lock the rubric. */
  lockAll(transaction: Transaction): Promise<void>;
  /** Returns the next rows in the order of the queue. */
  after(last: Row | undefined, limit: number, transaction: Transaction): Promise<Row[]>;
  /** Returns the change that results from other points. */
  changeTo(row: Row, points: Points, maxPoints: Points): Change;
  /** Writes the results, with the history and the events of what has changed. */
  write(rows: Row[], results: Regraded[], by: RegradedBy, transaction: Transaction): Promise<void>;
  /** Clears all selections, because the rubric is deleted. Grades and points stay. */
  dropSelections(transaction: Transaction): Promise<void>;
}

/** The new rubric, without the items that are new, because no grader has selected them yet. */
export type RubricOfSelections = Pick<Rubric, 'mode' | 'maxPoints' | 'minPoints' | 'items'>;

interface ListedChange {
  submissionId: number;
  studentName: string | null;
  /** Null for a submission that had no grade. */
  from: number | null;
  to: number;
}

/** The effect of a change on grades or points. */
export interface Regrading {
  regraded: number;
  /** Signed; null when nothing is regraded. */
  minChange: number | null;
  maxChange: number | null;
  /** The first changes, in the order of the queue. */
  changes: ListedChange[];
}

// Limits the memory: only the rows, history and events of one batch are held at a time.
export const batchSize = 500;
const maxListed = 100;

export const noRegrading = (): Regrading => ({
  regraded: 0,
  minChange: null,
  maxChange: null,
  changes: [],
});

/** Adds a change to the effect. */
export function countChange(result: Regrading, change: ListedChange): void {
  const { from, to } = change;
  result.regraded += 1;
  if (from !== null) {
    // Exact decimals: 0.3 - 0.1 is 0.2.
    const difference = fromPoints(toPoints(to) - toPoints(from));
    result.minChange = Math.min(result.minChange ?? difference, difference);
    result.maxChange = Math.max(result.maxChange ?? difference, difference);
  }
  if (result.changes.length < maxListed) result.changes.push(change);
}

/**
 * Computes the results of all work that is graded with the rubric. With `written`, also writes them with their history
 * and events, and the new revision of the rubric.
 * @throws AppError `invalid` if two selected items of a submission are now in one group
 */
export function regrade(
  work: WorkByRubric,
  rubric: RubricOfSelections,
  transaction: Transaction,
  written?: Omit<RegradedBy, 'at'>,
): Promise<Regrading> {
  return inChildSpan('regrade submissions', {}, async (span) => {
    const result = noRegrading();
    const at = new Date();
    const batches = keysetPages<ByRubric>((last) => work.after(last, batchSize, transaction));
    for await (const batch of batches) {
      const results = batch.map((row) => regradeOne(work, rubric, row));
      for (const [index, { id: submissionId, studentName }] of batch.entries()) {
        const { from, to, isChanged } = results[index] as Regraded;
        if (isChanged) countChange(result, { submissionId, studentName, from, to });
      }
      if (written) await work.write(batch, results, { ...written, at }, transaction);
    }
    span?.setAttribute('gradeway.submissions.regraded', result.regraded);
    return result;
  });
}

function regradeOne(work: WorkByRubric, rubric: RubricOfSelections, row: ByRubric): Regraded {
  const known = new Set(rubric.items.map(({ id }) => id));
  const selection = row.selection.filter((id) => known.has(id));
  requireNoConflict(rubric, selection);
  const points = pointsOf(rubric, { itemIds: selection, adjustment: row.adjustment });
  return { ...work.changeTo(row, points, rubric.maxPoints), id: row.id, selection };
}

function requireNoConflict({ items }: RubricOfSelections, selection: number[]): void {
  const conflict = conflictIn(items, selection);
  if (!conflict) return;
  const texts = conflict.itemIds.map((id) => items.find((item) => item.id === id)?.text);
  throw invalid({
    items: [
      `A submission has both ${texts.join(' and ')} selected, which cannot be in one group, ${conflict.group}.`,
    ],
  });
}

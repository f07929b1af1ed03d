import { fromPoints, type Points, toPoints } from '@gradeway/shared/grading/points';
import { assessWork } from '@gradeway/shared/items/assessWork';
import type { LateRule } from '@gradeway/shared/items/item';
import type { Lateness } from '@gradeway/shared/items/lateness';
import type { GradebookStudent } from '../../domain/grade.ts';
import type { Kind } from './projections.ts';

/** A published item, which is a column of the grid. */
export interface GridColumn {
  kind: Kind;
  itemId: number;
  title: string;
  /** Null for a quiz without one. */
  totalGrade: number | null;
  closesAt: Date | null;
  late: LateRule | null;
  /** The time from which students see grades; null while they are held back. */
  releasedAt: Date | null;
  /** Whether the students of these grades are hidden from graders. */
  isAnonymous: boolean;
}

/** An item with the number and the mean of its grades, excluding excused students. */
export interface GridItem extends GridColumn {
  mean: number | null;
  graded: number;
}

/** A student's submission for an item. */
export interface GridWork {
  studentId: number;
  kind: Kind;
  itemId: number;
  submissionId: number;
  grade: number | null;
  totalGrade: number | null;
  isHidden: boolean;
  submittedAt: Date | null;
  isLateWaived: boolean | null;
}

export interface GridAllowance {
  studentId: number;
  kind: Kind;
  itemId: number;
  closesAt: Date | null;
  excused: boolean;
}

export interface GridCell {
  state: 'missing' | 'submitted' | 'graded' | 'excused';
  grade: number | null;
  finalGrade: number | null;
  /** Whether there is a grade that is held back from the student. */
  isHidden: boolean;
  late: Lateness | null;
  submissionId: number | null;
}

export interface GridRow extends GradebookStudent {
  /** In the order of the items. */
  cells: GridCell[];
  points: number;
  possible: number;
  /** Null without any graded cell. */
  percent: number | null;
}

interface Given {
  items: GridColumn[];
  students: GradebookStudent[];
  works: GridWork[];
  allowances: GridAllowance[];
  /** Whether cells of anonymous items omit all data that a grader's queue shows next to an anonymous code. */
  hidesAnonymous: boolean;
}

/**
 * Arranges the submissions of students as rows of the grid. Sums are exact and cover graded cells that are not excused.
 */
export function gridRows({ items, students, works, allowances, hidesAnonymous }: Given): GridRow[] {
  const workOf = new Map(works.map((work) => [keyOf(work.studentId, work), work]));
  const allowanceOf = new Map(allowances.map((each) => [keyOf(each.studentId, each), each]));
  return students.map((student) => {
    const cells: GridCell[] = [];
    let [points, possible]: [Points, Points] = [0, 0];
    for (const item of items) {
      const key = keyOf(student.studentId, item);
      const work = workOf.get(key);
      const cell = cellOf(item, work, allowanceOf.get(key), hidesAnonymous);
      cells.push(cell);
      if (cell.state !== 'graded') continue;
      points += toPoints(cell.finalGrade ?? 0);
      possible += toPoints(work?.totalGrade ?? 0);
    }
    const sums = { points: fromPoints(points), possible: fromPoints(possible) };
    return { ...student, cells, ...sums, percent: percentOf(points, possible) };
  });
}

const keyOf = (studentId: number, { kind, itemId }: Pick<GridColumn, 'kind' | 'itemId'>): string =>
  `${studentId} ${kind} ${itemId}`;

function cellOf(
  item: GridColumn,
  work: GridWork | undefined,
  allowance: GridAllowance | undefined,
  hidesAnonymous: boolean,
): GridCell {
  const empty = { grade: null, finalGrade: null, isHidden: false, late: null, submissionId: null };
  const isExcused = allowance?.excused === true;
  if (!work) return { state: isExcused ? 'excused' : 'missing', ...empty };
  if (hidesAnonymous && item.isAnonymous) return { state: isExcused ? 'excused' : 'submitted', ...empty };
  const { grade, isHidden, submissionId, submittedAt, isLateWaived } = work;
  const { closesAt, late: rule } = item;
  const allowedUntil = allowance?.closesAt ?? null;
  const assessed = { submittedAt, isLateWaived, grade, closesAt, late: rule, allowedUntil };
  const isGraded = grade !== null;
  const state = isExcused ? 'excused' : isGraded ? 'graded' : 'submitted';
  return { state, grade, isHidden: isGraded && isHidden, submissionId, ...assessWork(assessed) };
}

/** Two decimals, with halves rounded up. The products exceed the safe integer range in a course with large totals. */
function percentOf(points: Points, possible: Points): number | null {
  if (possible === 0) return null;
  const [part, whole] = [BigInt(points), BigInt(possible)];
  return Number((part * 20_000n + whole) / (whole * 2n)) / 100;
}

import type { components } from '../../../apiTypes/schema.ts';

export type GradebookRow = components['schemas']['GradebookRow'];
export type GradebookGrade = components['schemas']['GradebookGrade'];

/** A graded quiz or homework, which is a column of the table. */
export interface GradedItem {
  key: string;
  kind: GradebookGrade['kind'];
  title: string;
}

const keyOf = ({ kind, item_id }: GradebookGrade) => `${kind}-${item_id}`;

/** Returns the items with at least one grade on the page: homework first, each kind in order of creation. */
export function itemsOf(rows: GradebookRow[]): GradedItem[] {
  const found = new Map<string, GradebookGrade>();
  // The newest grade has the current title.
  for (const grade of rows.flatMap(({ grades }) => grades)) {
    const known = found.get(keyOf(grade));
    if (!known || known.graded_at < grade.graded_at) found.set(keyOf(grade), grade);
  }
  return [...found.values()]
    .toSorted((one, other) => one.kind.localeCompare(other.kind) || one.item_id - other.item_id)
    .map((grade) => ({ key: keyOf(grade), kind: grade.kind, title: grade.title }));
}

/** Returns a student's grade for an item. */
export const gradeOf = ({ grades }: GradebookRow, item: GradedItem): GradebookGrade | undefined =>
  grades.find((grade) => keyOf(grade) === item.key);

import type { ImportAction, ImportPlan, ImportRow } from './importTypes.ts';

/** Which rows the preview shows: those with an action, or all rows that change something. */
export type RowFilter = 'changes' | 'all' | ImportAction;

const changing: ImportAction[] = ['create', 'update', 'delete'];
const actions: ImportAction[] = ['error', 'create', 'update', 'delete', 'unchanged', 'ignored'];

export interface FileCounts {
  file: string;
  counts: Record<ImportAction, number>;
}

/** Counts the rows of each file by action. Files without rows are omitted. */
export function countsByFile({ summary }: Pick<ImportPlan, 'summary'>): FileCounts[] {
  return Object.entries(summary)
    .map(([name, counts]) => ({ file: `${name}.csv`, counts }))
    .filter(({ counts }) => actions.some((action) => counts[action] > 0));
}

const countIn = (files: FileCounts[], wanted: readonly ImportAction[]): number =>
  files.reduce((sum, { counts }) => sum + wanted.reduce((part, action) => part + counts[action], 0), 0);

/** Returns the filters that match any rows, with their counts. Errors come first because the user must fix them. */
export function filtersOf(files: FileCounts[]): { filter: RowFilter; count: number }[] {
  const filters: { filter: RowFilter; count: number }[] = [
    { filter: 'error', count: countIn(files, ['error']) },
    { filter: 'changes', count: countIn(files, changing) },
    ...actions.slice(1).map((filter) => ({ filter, count: countIn(files, [filter]) })),
    { filter: 'all', count: countIn(files, actions) },
  ];
  return filters.filter(({ count }) => count > 0);
}

/** Counts the rows that change something. */
export const changesIn = (files: FileCounts[]): number => countIn(files, changing);

export function rowsOf(rows: ImportRow[], filter: RowFilter): ImportRow[] {
  if (filter === 'all') return rows;
  return rows.filter(({ action }) => (filter === 'changes' ? changing.includes(action) : action === filter));
}

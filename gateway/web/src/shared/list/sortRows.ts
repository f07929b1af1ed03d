export type SortOrder = 'ascending' | 'descending';

/** Returns the rows sorted by a value. Texts are compared as people sort them; equal rows keep their order. */
export function sortRows<T>(rows: T[], sortBy: (row: T) => string | number, order: SortOrder): T[] {
  const sign = order === 'ascending' ? 1 : -1;
  return rows.toSorted((one, other) => sign * compare(sortBy(one), sortBy(other)));
}

const collator = new Intl.Collator(undefined, { numeric: true });

const compare = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : collator.compare(String(one), String(other));

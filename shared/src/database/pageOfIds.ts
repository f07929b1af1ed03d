import type { Page } from '../http/pagination.ts';

interface Options {
  /** The table that holds the list, with a condition. */
  from: string;
  id: string;
  /** The columns to sort by. */
  order: string[];
  /** SQL for the exact number of rows. */
  total: string;
}

/**
 * SQL for the ids on one page of a list, newest first. `$1` is the page size, `$2` the number of rows before the page.
 * An index on the sort order serves it without reading the table. `fromEnd` returns the same ids but skips the rows
 * after the page instead, so the last page is as fast as the first and no page skips more than half of the list.
 */
export function pageOfIds({ from, id, order, total }: Options): { fromStart: string; fromEnd: string } {
  const sorted = (direction: string) =>
    `SELECT ${id} FROM ${from} ORDER BY ${order.map((column) => `${column} ${direction}`).join(', ')}`;
  return {
    fromStart: `${sorted('DESC')} LIMIT ${rowCount('$1')} OFFSET ${rowCount('$2')}`,
    fromEnd: `${sorted('ASC')}
      LIMIT greatest(least($1, (${total}) - $2), 0) OFFSET greatest((${total}) - $2 - $1, 0)`,
  };
}

/**
 * SQL for a parameter that is the only content of a LIMIT or OFFSET. In a generic plan PostgreSQL assumes that a bare
 * parameter selects a tenth of the list. A plan for the actual value then seems cheaper, so PostgreSQL replans every
 * page of a long list, which takes an eighth of the page's time.
 */
export const rowCount = (parameter: string): string => `(SELECT ${parameter}::bigint)`;

// Larger than any list, yet small enough that sums in the queries stay within Postgres integers.
const farthest = 2_000_000_000;

/** The values of `$1` and `$2`. A page past the end has no ids. */
export const pageValues = ({ number, size }: Page): [size: number, offset: number] => [
  size,
  Math.min((number - 1) * size, farthest),
];

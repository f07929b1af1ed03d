import type { Page } from '../http/pagination.ts';

interface Options {
  /** The rows of the list: a table with a condition. */
  from: string;
  id: string;
  /** The columns of the order. */
  order: string[];
  /** SQL of the exact number of rows. */
  total: string;
}

/**
 * SQL of the ids of one page of a list, newest first, with `$1` for its size and `$2` for the number of rows before it. An
 * index on the order serves it without a look at the table. `fromEnd` returns the same ids, but skips the rows after the
 * page: the last page is read as fast as the first, and none skips more than half of the list.
 */
export function pageOfIds({ from, id, order, total }: Options): { fromStart: string; fromEnd: string } {
  const sorted = (direction: string) =>
    `SELECT ${id} FROM ${from} ORDER BY ${order.map((column) => `${column} ${direction}`).join(', ')}`;
  return {
    // With the bare parameters a plan for their values seems cheaper to PostgreSQL than one for all, for which it assumes a tenth
    // of the list. It would plan a long list for every request, an eighth of the time of a page.
    fromStart: `${sorted('DESC')} LIMIT (SELECT $1::bigint) OFFSET (SELECT $2::bigint)`,
    fromEnd: `${sorted('ASC')}
      LIMIT greatest(least($1, (${total}) - $2), 0) OFFSET greatest((${total}) - $2 - $1, 0)`,
  };
}

// No list has as many rows, and the sums of the queries remain integers of Postgres.
const farthest = 2_000_000_000;

/** The values of `$1` and `$2`. A page past the end has no ids. */
export const pageValues = ({ number, size }: Page): [size: number, offset: number] => [
  size,
  Math.min((number - 1) * size, farthest),
];

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
    fromStart: `${sorted('DESC')} LIMIT ${rowCount('$1')} OFFSET ${rowCount('$2')}`,
    fromEnd: `${sorted('ASC')}
      LIMIT greatest(least($1, (${total}) - $2), 0) OFFSET greatest((${total}) - $2 - $1, 0)`,
  };
}

/**
 * SQL of a parameter that is the only content of a LIMIT or OFFSET. For a bare one PostgreSQL assumes a tenth of the list in a plan
 * for all values, so a plan for the given value seems cheaper, and it plans every page of a long list: an eighth of its time.
 */
export const rowCount = (parameter: string): string => `(SELECT ${parameter}::bigint)`;

// No list has as many rows, and the sums of the queries remain integers of Postgres.
const farthest = 2_000_000_000;

/** The values of `$1` and `$2`. A page past the end has no ids. */
export const pageValues = ({ number, size }: Page): [size: number, offset: number] => [
  size,
  Math.min((number - 1) * size, farthest),
];

/*
 * Many small rows as one text value. A page with some hundred rows costs this process less than half the CPU time when they
 * arrive as one text for each parent instead of as rows of columns, and PostgreSQL no more (bench/lists.ts).
 */

const [columnSeparator, rowSeparator] = ['\x1f', '\x1e'];
const sqlOf = (separator: string): string => `E'\\x${separator.charCodeAt(0).toString(16)}'`;

/**
 * SQL of an aggregate that joins rows in the order of their input. Columns are numbers, booleans, or JSON: none of these
 * contains a separator, as JSON escapes control characters. A null is an empty text, and so is the result without rows.
 */
export const textRows = (columns: string[]): string =>
  `coalesce(string_agg(concat(${columns.join(`, ${sqlOf(columnSeparator)}, `)}), ${sqlOf(rowSeparator)}), '')`;

/** Splits the result of {@link textRows} into rows of columns. */
export const readTextRows = (text: string): string[][] =>
  text === '' ? [] : text.split(rowSeparator).map((row) => row.split(columnSeparator));

/*
 * Encodes many small rows as one text value. A page with several hundred rows takes less than half the CPU time in this
 * process when the rows of each parent arrive as one text, at no extra cost in PostgreSQL (bench/benchmarks/submissionLists.ts).
 */

const [columnSeparator, rowSeparator] = ['\x1f', '\x1e'];
const sqlOf = (separator: string): string => `E'\\x${separator.charCodeAt(0).toString(16)}'`;

/**
 * SQL aggregate that joins rows in input order. Columns must be numbers, booleans or JSON, which never contain a
 * separator, because JSON escapes control characters. A null becomes an empty string, as does a result without rows.
 */
export const textRows = (columns: string[]): string =>
  `coalesce(string_agg(concat(${columns.join(`, ${sqlOf(columnSeparator)}, `)}), ${sqlOf(rowSeparator)}), '')`;

/** Splits the result of {@link textRows} into rows of columns. */
export const readTextRows = (text: string): string[][] =>
  text === '' ? [] : text.split(rowSeparator).map((row) => row.split(columnSeparator));

/** Reads a number column. */
export const readNumber = (text = ''): number | null => (text === '' ? null : Number(text));

/** Reads a string column that was selected with `to_json`. */
export const readJsonString = (text = ''): string | null => (text === '' ? null : JSON.parse(text));

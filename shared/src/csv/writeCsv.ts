import { stringify } from 'csv-stringify/sync';

// The characters that start a formula in Excel, LibreOffice, Google Sheets and Numbers (OWASP, "CSV Injection"): four
// of them, their full-width forms, and some after white space that a spreadsheet strips.
const formula = /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/u;

/**
 * Escapes a cell so that a spreadsheet displays it instead of evaluating it, because names and titles are user input. A
 * leading apostrophe marks the rest as literal text.
 */
export const escapeCsvFormula = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** Returns the text that {@link escapeCsvFormula} escaped, or the text itself. */
export const unescapeCsvFormula = (text: string): string =>
  text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;

/** Makes Excel read the file as UTF-8. */
export const byteOrderMark = '\uFEFF';

/** Formats rows as CSV (RFC 4180). Null becomes an empty cell. */
export const toCsv = (rows: unknown[][], delimiter = ','): string =>
  stringify(rows, { record_delimiter: 'windows', delimiter });

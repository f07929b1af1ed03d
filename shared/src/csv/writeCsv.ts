import { stringify } from 'csv-stringify/sync';

// The characters that Excel, LibreOffice, Google Sheets and Numbers take for the start of a formula (OWASP, "CSV
// Injection"): four of them, their full-width forms, and some after white space that a spreadsheet strips.
const formula = /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/u;

/**
 * Escapes a cell so that a spreadsheet shows it instead of running it: names and titles are user input, and an
 * apostrophe marks the rest as literal text.
 */
export const escapeCsvFormula = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** By it Excel recognizes UTF-8. */
export const byteOrderMark = '\uFEFF';

/** Rows as CSV (RFC 4180). Null is an empty cell. */
export const toCsv = (rows: unknown[][]): string => stringify(rows, { record_delimiter: 'windows' });

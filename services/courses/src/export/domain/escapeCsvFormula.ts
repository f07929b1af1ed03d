// What Excel, LibreOffice, Google Sheets and Numbers take for the beginning of a formula (OWASP, "CSV Injection"):
// four characters, their full-width forms, and some of them after white space that the import strips.
const formula = /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/u;

/**
 * Text as a cell that a spreadsheet shows and does not run. Names and titles are other people's words; an
 * apostrophe before them makes a spreadsheet take the rest literally.
 */
export const escapeCsvFormula = (text: string): string => (formula.test(text) ? `'${text}` : text);

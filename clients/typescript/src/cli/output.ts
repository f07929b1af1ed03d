import { styleText } from 'node:util';

type Cell = string | number | boolean | null | undefined;

/** The columns of a table: a heading, and the cell of a row. */
export type Columns<Row> = Record<string, (row: Row) => Cell>;

const styled = (style: 'bold' | 'red', text: string, stream: NodeJS.WriteStream): string =>
  stream.isTTY && !process.env.NO_COLOR ? styleText(style, text) : text;

// Names and titles come from other people: they must not control the terminal.
const printable = (cell: Cell): string =>
  cell === null || cell === undefined ? '-' : String(cell).replaceAll(/\p{Cc}/gu, ' ');

/** `1 change`, `2 changes` */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** Reports the success of a command that has no result. */
export const printDone = (text: string, { json }: { json: boolean }): void =>
  json ? printJson({}) : print(text);

export function printError(text: string): void {
  const safe = text.replaceAll(/[^\P{Cc}\n]/gu, ' ');
  process.stderr.write(`${styled('red', 'gradeway:', process.stderr)} ${safe}\n`);
}

/** Prints rows as a table, or as a JSON array of everything that the API returns for them. */
export function printRows<Row>(rows: Row[], columns: Columns<Row>, { json }: { json: boolean }): void {
  if (json) {
    printJson(rows);
    return;
  }
  const headings = Object.keys(columns);
  const cells = rows.map((row) => Object.values(columns).map((cell) => printable(cell(row))));
  const widths = headings.map((heading, index) =>
    cells.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), heading.length),
  );
  const line = (row: string[]) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  print(styled('bold', line(headings), process.stdout));
  for (const row of cells) print(line(row));
}

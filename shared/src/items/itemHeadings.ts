import { escapeCsvFormula } from '../csv/writeCsv.ts';

/** An item as a column of a file. */
export interface ItemColumn {
  kind: 'homework' | 'quiz';
  itemId: number;
  title: string;
}

/** The other columns of files with grades. A title that equals one of them is written with the id of its item. */
const otherColumns = [
  ...['student_id', 'name', 'email', 'points', 'possible', 'percent'],
  ...['grade', 'comment'],
];

/**
 * The headings under which a file can have an item's grades: the title alone, or with the id, or with the kind too. A file can have
 * more than one of them, if the title of another item is one; the last is that of this item.
 */
export const headingsOf = ({ kind, itemId, title }: ItemColumn): string[] =>
  ['', ` (${itemId})`, ` (${kind} ${itemId})`].map((suffix) => escapeCsvFormula(title.trim() + suffix));

/**
 * Returns the headings of items in a file: each the first of its {@link headingsOf} that no other item of the file could have, so
 * that no column is read as that of another item.
 */
export function itemHeadings(items: ItemColumn[]): string[] {
  const uses = new Map<string, number>(otherColumns.map((name) => [name, 1]));
  const all = items.map(headingsOf);
  for (const heading of all.flat()) {
    const key = heading.toLowerCase();
    uses.set(key, (uses.get(key) ?? 0) + 1);
  }
  return all.map(
    (headings) => headings.find((heading) => uses.get(heading.toLowerCase()) === 1) ?? headings.at(-1) ?? '',
  );
}

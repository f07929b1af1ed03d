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
 * The headings under which a file can have an item's grades: the title alone, the title with the id, or the title with
 * kind and id. If a file has several of them, because another item's title equals one, the last belongs to this item.
 */
export const headingsOf = ({ kind, itemId, title }: ItemColumn): string[] =>
  ['', ` (${itemId})`, ` (${kind} ${itemId})`].map((suffix) => escapeCsvFormula(title.trim() + suffix));

/**
 * Returns the headings of items in a file: for each, the first of its {@link headingsOf} that no other item of the file
 * could have, so that no column is attributed to another item.
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

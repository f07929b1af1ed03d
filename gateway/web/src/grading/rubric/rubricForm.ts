import { readNumber } from '../../shared/ui/readNumber.ts';
import type { RubricBody } from '../queue/gradingRequests.ts';
import type { Rubric } from '../queue/gradingTypes.ts';

export interface ItemForm {
  /** The React key, which contains the id of a saved item. */
  key: string;
  id: number | null;
  points: string;
  text: string;
  explanation: string;
  group: string;
  shortcut: string;
}

/** A rubric while it is being edited. */
export interface RubricForm {
  mode: Rubric['mode'];
  maxPoints: string;
  minPoints: string;
  items: ItemForm[];
}

let made = 0;
const usualPoints = '1';

export function newItem(): ItemForm {
  made += 1;
  return {
    key: `new-${made}`,
    id: null,
    points: usualPoints,
    text: '',
    explanation: '',
    group: '',
    shortcut: '',
  };
}

export function formOf(rubric: Rubric | null, usualTotal: number | null): RubricForm {
  if (!rubric)
    return { mode: 'subtract', maxPoints: String(usualTotal ?? 10), minPoints: '0', items: [newItem()] };
  return {
    mode: rubric.mode,
    maxPoints: String(rubric.max_points),
    minPoints: String(rubric.min_points),
    items: rubric.items.map((item) => ({
      key: `item-${item.id}`,
      id: item.id,
      points: String(item.points),
      text: item.text,
      explanation: item.explanation ?? '',
      group: item.group ?? '',
      shortcut: item.key ?? '',
    })),
  };
}

/** Whether an added row has not been filled in. */
const isEmpty = ({ id, points, text, explanation, group, shortcut }: ItemForm): boolean =>
  id === null &&
  points.trim() === usualPoints &&
  [text, explanation, group, shortcut].every((each) => each.trim() === '');

export function bodyOf({ mode, maxPoints, minPoints, items }: RubricForm): RubricBody {
  return {
    mode,
    max_points: readNumber(maxPoints) ?? 0,
    min_points: readNumber(minPoints) ?? 0,
    items: items
      .filter((item) => !isEmpty(item))
      .map(({ id, points, text, explanation, group, shortcut }) => ({
        ...(id === null ? {} : { id }),
        points: readNumber(points) ?? 0,
        text: text.trim(),
        explanation: explanation.trim() || null,
        group: group.trim() || null,
        key: shortcut.trim() || null,
      })),
  };
}

/** Returns the first validation error as an English text; undefined when the rubric can be saved. */
export function errorIn({ maxPoints, minPoints, items: rows }: RubricForm): string | undefined {
  const items = rows.filter((item) => !isEmpty(item));
  const points = (text: string) => readNumber(text) ?? -1;
  if (points(maxPoints) <= 0) return 'The maximum must be above 0.';
  if (minPoints.trim() !== '' && (points(minPoints) < 0 || points(minPoints) > points(maxPoints)))
    return 'The minimum must be between 0 and the maximum.';
  if (items.length === 0) return 'Add at least one item to the rubric.';
  if (items.length > 100) return 'A rubric can have up to 100 items.';
  if (items.some(({ text }) => text.trim() === '')) return 'Every item needs a text.';
  if (items.some((item) => points(item.points) < 0)) return 'Enter points of at least 0 for each item.';
  const keys = items.map(({ shortcut }) => shortcut.trim()).filter((key) => key !== '');
  if (keys.some((key) => [...key].length !== 1)) return 'A key is one character.';
  if (new Set(keys).size < keys.length) return 'Two items have the same key.';
  return undefined;
}

/** Returns the items with one of them moved. */
export function moved<Item>(items: Item[], from: number, to: number): Item[] {
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length || from === to) return items;
  return items.toSpliced(from, 1).toSpliced(to, 0, item);
}

/** Whether saving would change anything. */
export const isChanged = (form: RubricForm, before: RubricForm): boolean =>
  JSON.stringify(bodyOf(form)) !== JSON.stringify(bodyOf(before));

import type { Words } from '../../shared/language/text.ts';
import { valueText } from '../school/valueText.ts';

interface ChangeLine {
  field: string;
  before: string;
  after: string;
}

/** Lists the changed fields in alphabetical order. */
export function changeLines(
  changes: Record<string, unknown[]> | null,
  words: Pick<Words, 't' | 'formatTime'>,
): ChangeLine[] {
  const shown = (value: unknown) => valueText(value, words) ?? '–';
  return Object.entries(changes ?? {})
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([field, [before, after]]) => ({ field, before: shown(before), after: shown(after) }));
}

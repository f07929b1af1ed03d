import type { Translation } from '../../shared/language/useTranslation.ts';
import { valueText } from '../list/valueText.ts';

interface ChangeLine {
  field: string;
  before: string;
  after: string;
}

/** Lists the changed fields in alphabetical order. */
export function changeLines(
  changes: Record<string, unknown[]> | null,
  translation: Pick<Translation, 't' | 'formatTime'>,
): ChangeLine[] {
  const shown = (value: unknown) => valueText(value, translation) ?? '–';
  return Object.entries(changes ?? {})
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([field, [before, after]]) => ({ field, before: shown(before), after: shown(after) }));
}

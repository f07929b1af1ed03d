import type { Translation } from '../../shared/language/useTranslation.ts';

const moment = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Formats a recorded field value for display; null if there is none. Lists and objects are shown as JSON. */
export function valueText(
  value: unknown,
  { t, formatTime }: Pick<Translation, 't' | 'formatTime'>,
): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'string' && moment.test(value)) return formatTime(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

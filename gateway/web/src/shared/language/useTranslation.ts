import type { I18n } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { momentOf } from '../time/moment.ts';
import { schoolTimeZone } from '../time/schoolTimeZone.ts';
import { type TimeText, timeText } from '../time/timeText.ts';

/** Translates an English text into the language of the page. Parameters use ICU message syntax. */
export type Translate = (english: string, values?: Record<string, unknown>) => string;

export interface Translation {
  t: Translate;
  language: string;
  formatNumber: I18n['number'];
  /** Formats a time within a sentence. A time on its own is shown by `Time`. */
  formatTime(time: string | Date): string;
  timeText(moment: Date, withSeconds?: boolean): TimeText;
}

const filled = (text: string, values: Record<string, unknown> = {}): string =>
  text.replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name]) : place));

/** Returns the texts, numbers and times in the language of the page. */
export function useTranslation(): Translation {
  const { i18n } = useLingui();
  // An English text without plural forms is its own key and is missing from the catalogue.
  const t: Translate = (english, values) =>
    english in i18n.messages ? i18n._(english, values) : filled(english, values);
  const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const translation: Translation = {
    t,
    language: i18n.locale,
    formatNumber: (value, format) => i18n.number(value, format),
    formatTime: (time) => {
      const { school, own } = translation.timeText(typeof time === 'string' ? momentOf(time) : time);
      return own === undefined ? school : `${school} ${t('(your time: {time})', { time: own })}`;
    },
    timeText: (moment, withSeconds = false) =>
      timeText(moment, { language: i18n.locale, schoolZone: schoolTimeZone, deviceZone, withSeconds }),
  };
  return translation;
}

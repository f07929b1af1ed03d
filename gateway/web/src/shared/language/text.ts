import type { I18n } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { momentOf } from '../time/moment.ts';
import { schoolTimeZone } from '../time/schoolTimeZone.ts';
import { type TimeText, timeText } from '../time/timeText.ts';

/** A text in the language of the page, by its English one. Parameters are written as ICU messages. */
export type Text = (english: string, values?: Record<string, unknown>) => string;

export interface Words {
  t: Text;
  language: string;
  formatNumber: I18n['number'];
  /** A time for a sentence; `Time` shows one by itself. */
  formatTime(time: string | Date): string;
  timeText(moment: Date, withSeconds?: boolean): TimeText;
}

const filled = (text: string, values: Record<string, unknown> = {}): string =>
  text.replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name]) : place));

/** The texts, numbers and times of the language of the page. */
export function useWords(): Words {
  const { i18n } = useLingui();
  // An English text without plural forms is its own key, and not in the catalogue.
  const t: Text = (english, values) =>
    english in i18n.messages ? i18n._(english, values) : filled(english, values);
  const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const words: Words = {
    t,
    language: i18n.locale,
    formatNumber: (value, format) => i18n.number(value, format),
    formatTime: (time) => {
      const { school, own } = words.timeText(typeof time === 'string' ? momentOf(time) : time);
      return own === undefined ? school : `${school} ${t('(your time: {time})', { time: own })}`;
    },
    timeText: (moment, withSeconds = false) =>
      timeText(moment, { language: i18n.locale, schoolZone: schoolTimeZone, deviceZone, withSeconds }),
  };
  return words;
}

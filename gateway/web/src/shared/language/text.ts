import type { I18n } from '@lingui/core';
import { useLingui } from '@lingui/react';

/** A text in the language of the page, by its English one. Parameters are written as ICU messages. */
export type Text = (english: string, values?: Record<string, unknown>) => string;

export interface Words {
  t: Text;
  language: string;
  formatNumber: I18n['number'];
  formatTime(time: string): string;
}

const filled = (text: string, values: Record<string, unknown> = {}): string =>
  text.replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name]) : place));

/** The texts, numbers and times of the language of the page. */
export function useWords(): Words {
  const { i18n } = useLingui();
  return {
    // An English text without plural forms is its own key, and not in the catalogue.
    t: (english, values) => (english in i18n.messages ? i18n._(english, values) : filled(english, values)),
    language: i18n.locale,
    formatNumber: (value, format) => i18n.number(value, format),
    formatTime: (time) => i18n.date(new Date(time), { dateStyle: 'medium', timeStyle: 'short' }),
  };
}

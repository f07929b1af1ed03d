import { i18n } from '@lingui/core';
import { messages as common } from './messages/ar.json?english';

export const languages = { en: 'English', ar: 'العربية' } as const;

export type Language = keyof typeof languages;

const key = 'gradeway.language';

/** The English texts with plural forms that have been loaded. */
let english = common;

/** Returns the chosen language, or else the first of the browser's languages that is available. */
export function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(key), ...navigator.languages];
  const known = Object.keys(languages) as Language[];
  for (const each of wanted) {
    const found = known.find((language) => each?.toLowerCase().split('-')[0] === language);
    if (found) return found;
  }
  return 'en';
}

/** Switches the application to a language and its text direction. */
export async function showLanguage(language: Language): Promise<void> {
  const messages = language === 'en' ? english : (await import('./messages/ar.json?messages')).messages;
  document.documentElement.lang = language;
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
  i18n.loadAndActivate({ locale: language, messages });
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(key, language);
  await showLanguage(language);
}

let hasStaffTexts = false;

/**
 * Loads the texts that only graders, teachers and administrators see; undefined once they are loaded, so that later
 * navigation does not wait. Translations are always loaded as a whole.
 */
export function loadStaffTexts(): Promise<void> | undefined {
  if (hasStaffTexts) return undefined;
  return import('./messages/ar.json?staff').then(({ messages }) => {
    hasStaffTexts = true;
    english = { ...common, ...messages };
    if (i18n.locale === 'en') i18n.load('en', messages);
  });
}

import { readFileSync } from 'node:fs';

export type Language = 'en' | 'ar';

const arabic: Record<string, string> = JSON.parse(
  readFileSync(new URL('../../gateway/web/src/shared/language/messages/ar.json', import.meta.url), 'utf8'),
);

/** Returns the translation of the application's English texts into a language. */
export const words =
  (language: Language) =>
  (english: string): string =>
    language === 'en' ? english : (arabic[english] ?? english);

import { readFileSync } from 'node:fs';

export type Language = 'en' | 'ar';

const arabic: Record<string, string> = JSON.parse(
  readFileSync(new URL('../../gateway/web/src/shared/language/messages/ar.json', import.meta.url), 'utf8'),
);

/** The texts of the application in a language, by their English ones. */
export const words =
  (language: Language) =>
  (english: string): string =>
    language === 'en' ? english : (arabic[english] ?? english);

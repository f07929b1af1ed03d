import type { Language } from '../domain/preferences.ts';
import { arabic } from './texts.ar.ts';
import { english } from './texts.en.ts';
import type { Texts } from './texts.ts';

export const texts: Record<Language, Texts> = { en: english, ar: arabic };

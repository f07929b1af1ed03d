import { createHash } from 'node:crypto';
import { z } from 'zod';

/** The identifier that users log in with: a lower-case email address, or a mobile number in international form (D8). */
export interface LoginIdentifier {
  kind: 'email' | 'mobile';
  value: string;
}

export function parseLoginIdentifier(text: string): LoginIdentifier {
  return text.includes('@')
    ? { kind: 'email', value: normalizeEmail(text).toLowerCase() }
    : { kind: 'mobile', value: normalizeMobile(text) };
}

/** The stored form of an identifier that may belong to no account. Hashed, because users type passwords by mistake. */
export const hashLoginIdentifier = ({ value }: LoginIdentifier): string =>
  createHash('sha256').update(value).digest('base64url');

/** Removes the spaces and dashes from a mobile number. */
export const normalizeMobile = (text: string): string => text.replace(/[\s\p{Pd}]/gu, '');

// E.164: a country code, which never starts with 0, and at most fifteen digits in total.
const internationalMobile = /^\+[1-9]\d{6,14}$/;

export const isInternationalMobile = (mobile: string): boolean => internationalMobile.test(mobile);

/**
 * The stored form of an email address: as entered, except that equivalent spellings of non-ASCII characters become one.
 * PostgreSQL compares addresses with `lower()`, which folds the case of such characters only in some locales.
 */
export function normalizeEmail(text: string): string {
  const composed = text.normalize('NFC');
  return isAscii.test(composed) ? composed : composed.toLowerCase().normalize('NFC');
}

const isAscii = /^\p{ASCII}*$/u;
const otherLetters = /(?!\p{ASCII})[\p{L}\p{M}\p{N}]/gu;

/** Whether browsers accept the text as an address (`<input type="email">`), non-ASCII letters allowed (SMTPUTF8). */
export const isEmail = (text: string): boolean =>
  z.regexes.html5Email.test(text.replaceAll(otherLetters, 'x'));

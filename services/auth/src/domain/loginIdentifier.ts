import { createHash } from 'node:crypto';
import { z } from 'zod';

/** What users log in with: a lower-case email address, or a mobile number in international form (D8). */
export interface LoginIdentifier {
  kind: 'email' | 'mobile';
  value: string;
}

export function parseLoginIdentifier(text: string): LoginIdentifier {
  return text.includes('@')
    ? { kind: 'email', value: text.toLowerCase() }
    : { kind: 'mobile', value: normalizeMobile(text) };
}

/** The stored form of an identifier that may belong to no account: a hash, because users type passwords by mistake. */
export const hashLoginIdentifier = ({ value }: LoginIdentifier): string =>
  createHash('sha256').update(value).digest('base64url');

/** Removes the spaces and dashes from a mobile number. */
export const normalizeMobile = (text: string): string => text.replace(/[\s\p{Pd}]/gu, '');

// E.164: a country code, which never starts with 0, and at most fifteen digits in total.
const internationalMobile = /^\+[1-9]\d{6,14}$/;

export const isInternationalMobile = (mobile: string): boolean => internationalMobile.test(mobile);

/** Whether browsers accept the text as an address (`<input type="email">`). */
export const isEmail = (text: string): boolean => z.regexes.html5Email.test(text);

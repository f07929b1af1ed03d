import { createHash } from 'node:crypto';
import { z } from 'zod';

/** What people log in with: an email address in small letters, or a mobile number in international form (D8). */
export interface Identifier {
  kind: 'email' | 'mobile';
  value: string;
}

export function readIdentifier(text: string): Identifier {
  return text.includes('@')
    ? { kind: 'email', value: text.toLowerCase() }
    : { kind: 'mobile', value: normaliseMobile(text) };
}

/** What an identifier is kept by, where it may be no account's: people type passwords in the wrong field. */
export const keyOf = ({ value }: Identifier): string =>
  createHash('sha256').update(value).digest('base64url');

/** A mobile number without what people write in it to read it: spaces and dashes. */
export const normaliseMobile = (text: string): string => text.replace(/[\s\p{Pd}]/gu, '');

// E.164: a country code, which never begins with 0, and fifteen digits at most.
const international = /^\+[1-9]\d{6,14}$/;

export const isInternational = (mobile: string): boolean => international.test(mobile);

/** What browsers take for an address (`<input type="email">`). */
export const isEmail = (text: string): boolean => z.regexes.html5Email.test(text);

import { readFileSync } from 'node:fs';
import { normalizePassword } from './passwordHasher.ts';

// Sorted, one per line. See commonPasswords.LICENSE for the source.
const list = new URL('../../resources/commonPasswords.txt', import.meta.url);
const commonPasswords = new Set(readFileSync(list, 'utf8').trimEnd().split('\n'));

/**
 * Whether a password is one of the 10,000 most common ones, which attackers try first. Compares the normalized
 * password, which is also the one that is hashed.
 */
export const isCommonPassword = (password: string): boolean =>
  commonPasswords.has(normalizePassword(password));

import { createHash, randomBytes } from 'node:crypto';

/** Creates the token of a calendar's URL, which grants access to it. */
export const newCalendarToken = (): string => randomBytes(32).toString('base64url');

/** Only the hash of a token is stored. It needs no salt, because tokens cannot be guessed. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();

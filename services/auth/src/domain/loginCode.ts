import { randomInt } from 'node:crypto';

/** One-time codes (D16). */
export const codeLifetimeSeconds = 600;
export const codeTries = 5;

/** How many codes may be asked for in 15 minutes for one account; what is over that is not sent. */
export const codeRequests = 5;

export const makeCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

import { randomInt } from 'node:crypto';

// One-time login codes (D16).
export const codeLifetimeSeconds = 600;
export const maxCodeAttempts = 5;

/** Maximum code requests per account within 15 minutes. Further codes are not sent. */
export const maxCodeRequests = 5;

/** Maximum wrong codes per account in a day (D50), across all of its codes. */
export const maxWrongCodes = 30;
export const wrongCodeWindowSeconds = 86_400;

export const generateLoginCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

export interface StoredCode {
  key: string;
  userId: number | null;
  codeHash: string;
}

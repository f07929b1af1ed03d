import { createHash } from 'node:crypto';
import { Secret } from 'otpauth';

export const recoveryCodeCount = 10;
// 80 bits cannot be guessed even from the hashes, so a fast hash without salt is enough.
const codeBytes = 10;

/** Generates a recovery code: four groups of four letters and digits. */
export function generateRecoveryCode(): string {
  const groups = new Secret({ size: codeBytes }).base32.match(/.{4}/g);
  return (groups ?? []).join('-').toLowerCase();
}

/** The stored form of a recovery code. Case, spaces and dashes do not matter. */
export const hashRecoveryCode = (code: string): string =>
  createHash('sha256')
    .update(code.replace(/[\s\p{Pd}]/gu, '').toUpperCase())
    .digest('base64url');

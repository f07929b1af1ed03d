import { Secret, TOTP } from 'otpauth';

const issuer = 'Gradeway';
// The parameters that authenticator apps assume: HMAC-SHA-1, six digits, a new code every 30 s.
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 };
// One step in either direction, for differing clocks and slowly typed codes (RFC 6238 §5.2).
const window = 1;
// 160 bits (RFC 4226 §4).
const secretBytes = 20;

export interface TotpFactor {
  userId: number;
  encryptedSecret: Buffer;
  isConfirmed: boolean;
  /** The time step of the latest accepted code. */
  lastStep: number;
}

/** The proof a user has provided: the code of a time step, or a recovery code. */
export type SecondFactorProof = { step: number } | { recoveryCodeHash: string };

/** Generates a secret, in base32. */
export const generateTotpSecret = (): string => new Secret({ size: secretBytes }).base32;

/** The URL that authenticator apps read from a QR code. */
export const totpUrl = (secret: string, label: string): string =>
  new TOTP({ ...parameters, issuer, label, secret }).toString();

/** Returns the time step that a code belongs to, or undefined. Steps up to `lastStep` count as used (RFC 6238 §5.2). */
export function findTotpStep(
  { secret, lastStep }: { secret: string; lastStep: number },
  code: string,
  now: Date,
): number | undefined {
  const timestamp = now.getTime();
  const validated = { ...parameters, secret: Secret.fromBase32(secret), token: code, timestamp, window };
  const delta = TOTP.validate(validated);
  if (delta === null) return undefined;
  const step = TOTP.counter({ period: parameters.period, timestamp }) + delta;
  return step > lastStep ? step : undefined;
}

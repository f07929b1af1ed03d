import { AppError } from '@gradeway/shared/errors/appError';

/** The reason for refusing a sign-in, which the gateway passes to the login page as `error`, such as `sso_failed`. */
export const signInRefusals = [
  'failed',
  'no_account',
  'blocked',
  'taken',
  'unavailable',
  'second_factor',
  'reauthentication',
  'unknown_provider',
] as const;

export type Refusal = (typeof signInRefusals)[number];

/** An expected outcome of a sign-in that is reported to the browser. */
export class SignInRefused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, cause?: unknown) {
    super(refusal, { cause });
    this.refusal = refusal;
  }
}

/**
 * Converts the error of a login that was refused despite a correct identity, such as one to a blocked account. Returns
 * other errors unchanged.
 */
export function toBlocked(error: unknown): unknown {
  const isRefusal = error instanceof AppError && ['unauthenticated', 'malformed'].includes(error.code);
  return isRefusal ? new SignInRefused('blocked', error) : error;
}

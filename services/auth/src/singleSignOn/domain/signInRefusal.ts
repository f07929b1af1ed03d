import { AppError } from '@gradeway/shared/errors/appError';

/** Why a sign-in was refused; at the gateway the `error` of the login page, such as `sso_failed`. */
export const signInRefusals = [
  'failed',
  'no_account',
  'blocked',
  'taken',
  'unavailable',
  'second_factor',
  'unknown_provider',
] as const;

export type Refusal = (typeof signInRefusals)[number];

/** An expected outcome of a sign-in, which the browser is told. */
export class SignInRefused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, cause?: unknown) {
    super(refusal, { cause });
    this.refusal = refusal;
  }
}

/** The login refused a correct identity: blocked, a parent, too many devices. Other errors stay as they are. */
export function toBlocked(error: unknown): unknown {
  const isRefusal = error instanceof AppError && ['unauthenticated', 'malformed'].includes(error.code);
  return isRefusal ? new SignInRefused('blocked', error) : error;
}

import { AppError } from '@gradeway/shared/errors/appError';
import type { ErrorReason } from '@gradeway/shared/errors/errorCodes';
import type { User } from './user.ts';

/** The same response for a wrong password, a wrong code and an unknown account (D8, D38). */
export const invalidCredentials = () =>
  loginRefused('These credentials do not match our records.', 'invalid_credentials');

/** The first factor was correct, but the account requires a second one. */
export class SecondFactorRequired extends AppError {
  constructor() {
    super('unauthenticated', 'A second factor is required.', { reason: 'second_factor_required' });
  }
}

export const deviceDisabled = () =>
  loginRefused('Your device has been disabled, please contact admin.', 'device_disabled');

export const deviceOfAnotherAccount = () =>
  new AppError('malformed', 'You are not allowed to use more than one account per device.', {
    reason: 'device_taken',
  });

type LoginState = Pick<User, 'role' | 'isBlocked'>;

/** Rejects an account that may not log in. Call it only after verifying the credentials (D8). */
export function requireLoginAllowed(user: LoginState): void {
  const refusal = loginRefusal(user);
  if (refusal) throw refusal;
}

export const isLoginAllowed = (user: LoginState): boolean => loginRefusal(user) === undefined;

function loginRefusal({ role, isBlocked }: LoginState): AppError | undefined {
  if (role === 'parent') return loginRefused('Parent login not allowed.', 'login_not_allowed');
  return isBlocked ? loginRefused('Blocked User', 'account_blocked') : undefined;
}

const loginRefused = (message: string, reason: ErrorReason) =>
  new AppError('unauthenticated', message, { reason });

import { AppError } from '@gradeway/shared/errors/appError';
import type { User } from './user.ts';

/** For a wrong password, a wrong code and an unknown account alike (D8, D38). */
export const wrongCredentials = () => refused('These credentials do not match our records.');

export const deviceDisabled = () => refused('Your device has been disabled, please contact admin.');

export const anotherAccountsDevice = () =>
  new AppError('malformed', 'You are not allowed to use more than one account per device.');

/** Refuses an account that may not log in. Only for somebody who has proved to be its owner (D8). */
export function requireMayLogIn({ role, isBlocked }: Pick<User, 'role' | 'isBlocked'>): void {
  if (role === 'parent') throw refused('Parent login not allowed.');
  if (isBlocked) throw refused('Blocked User');
}

const refused = (message: string) => new AppError('unauthenticated', message);

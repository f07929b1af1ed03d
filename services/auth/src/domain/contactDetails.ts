import { isUniqueViolation } from '@gradeway/shared/database/errors';
import { invalid } from '@gradeway/shared/errors/appError';
import type { User } from './user.ts';

/** An account needs an email address or a mobile number (D15). */
export function requireContactDetail({ email, mobile }: Pick<User, 'email' | 'mobile'>): void {
  if (email === null && mobile === null)
    throw invalid({ email: ['The email field is required when mobile is not present.'] });
}

/** Runs work that writes an account. The unique indexes detect a taken address or number even in a race. */
export async function rejectTakenContact<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'users_email'))
      throw invalid({ email: ['The email has already been taken.'] });
    if (isUniqueViolation(error, 'users_mobile'))
      throw invalid({ mobile: ['The mobile has already been taken.'] });
    throw error;
  }
}

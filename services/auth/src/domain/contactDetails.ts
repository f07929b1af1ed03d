import { isDuplicate } from '@gradeway/shared/database/errors';
import { invalid } from '@gradeway/shared/errors/appError';
import type { User } from './user.ts';

/** An account needs an email address or a mobile number (D15). */
export function requireReachable({ email, mobile }: Pick<User, 'email' | 'mobile'>): void {
  if (email === null && mobile === null)
    throw invalid({ email: ['The email field is required when mobile is not present.'] });
}

/** Does work that writes an account; where its address or number is another's, the index says so, whoever is first. */
export async function refuseTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDuplicate(error, 'users_email')) throw invalid({ email: ['The email has already been taken.'] });
    if (isDuplicate(error, 'users_mobile')) throw invalid({ mobile: ['The mobile has already been taken.'] });
    throw error;
  }
}

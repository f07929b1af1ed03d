import { invalid } from '@gradeway/shared/errors/appError';

const defaultDays = 90;

/**
 * Returns the expiry of a new token in whole seconds, as in JWTs: by default 90 days from now.
 * @throws AppError `invalid` unless the time is in the future and at most a year from now
 */
export function tokenExpiry(given: Date | undefined, now: Date): Date {
  const wanted = given ?? addedTo(now, { days: defaultDays });
  const expiry = new Date(Math.floor(wanted.getTime() / 1000) * 1000);
  if (expiry <= now || expiry > addedTo(now, { years: 1 }))
    throw invalid({ expires_at: ['The expires at must be in the future, and at most one year from now.'] });
  return expiry;
}

function addedTo(time: Date, { years = 0, days = 0 }: { years?: number; days?: number }): Date {
  const later = new Date(time);
  later.setUTCFullYear(time.getUTCFullYear() + years, time.getUTCMonth(), time.getUTCDate() + days);
  return later;
}

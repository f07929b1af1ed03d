import { serverNow } from '../time/serverNow.ts';

const dayMs = 86_400_000;
const defaultDays = 90;

/** How long tokens may be valid, in days. */
export const validDays = [30, defaultDays, 180, 365] as const;

/** The field `expires_at` of a new token. The API's default is 90 days, and its maximum one year. */
export function expiryOf(form: FormData): { expires_at?: string } {
  const days = Number(form.get('valid_days'));
  const now = serverNow();
  if (days === defaultDays || now === undefined) return {};
  // The request takes a moment to arrive.
  return { expires_at: new Date(now + days * dayMs - 60_000).toISOString() };
}

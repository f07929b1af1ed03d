import type { Role } from '../shared/session/accessToken.ts';

const homes: Record<string, string> = { user: '/my', instructor: '/courses' };

/** An administrator has access to every course, so the grading page is more useful than the list of courses. */
export const homeOf = (role: Role): string => homes[role] ?? '/grading';

// A placeholder origin: only URLs relative to it belong to the application.
const base = 'https://application.invalid';

/**
 * Returns the page to show after login: the requested one if it belongs to this application, otherwise the start page
 * of the user's role. Accepting other hosts would turn the login page into a phishing tool (open redirect).
 */
export function destinationAfterLogin(wanted: string | undefined, role: Role): string {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, base)) return homeOf(role);
  // Parsed as browsers do: they ignore tabs and line breaks, read `\` as `/` and resolve `..`.
  const { origin, pathname, search, hash } = new URL(wanted, base);
  if (origin !== base || pathname.startsWith('//') || /^\/(login\/?)?$/.test(pathname)) return homeOf(role);
  return pathname + search + hash;
}

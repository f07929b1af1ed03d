import type { Role } from '../shared/access/accessToken.ts';

export const homeOf = (role: Role): string => (role === 'user' ? '/my' : '/grading');

// Any origin: only addresses relative to it belong to the application.
const base = 'https://application.invalid';

/**
 * Where one goes after logging in: where one wanted to go, if that is an address of this application, else to the page of
 * one's role. An address of another host would make the login page a tool for phishing.
 */
export function destinationAfterLogin(wanted: string | undefined, role: Role): string {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, base)) return homeOf(role);
  // Parsed as browsers do, which ignore tabs and line breaks, read `\` as `/` and resolve `..`.
  const { origin, pathname, search, hash } = new URL(wanted, base);
  if (origin !== base || pathname.startsWith('//') || /^\/(login\/?)?$/.test(pathname)) return homeOf(role);
  return pathname + search + hash;
}

import type { Role } from '../shared/access/accessToken.ts';

export const homeOf = (role: Role): string => (role === 'user' ? '/my' : '/grading');

/**
 * Where one goes after logging in: where one wanted to go, if that is an address of this application, else to the page of
 * one's role. An address of another host would make the login page a tool for phishing.
 */
export function destinationAfterLogin(wanted: string | undefined, role: Role): string {
  if (wanted === undefined || !/^\/(?![/\\])/.test(wanted) || /^\/(login|$)/.test(wanted))
    return homeOf(role);
  return wanted;
}

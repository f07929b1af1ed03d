import { isPageAddress } from '../webFiles/pageAddress.ts';

// A placeholder origin: only a URL relative to it is a path of this host.
const base = 'https://own.invalid';
const maxLength = 2_048;

/**
 * Returns the page that a sign-in leads to: the requested page if it belongs to the web application, otherwise the
 * start page. Other hosts would turn the sign-in into a phishing tool (open redirect).
 */
export function ownPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || wanted.length > maxLength || /[\p{Cc}\\]/u.test(wanted)) return '/';
  const [path = ''] = wanted.split(/[?#]/, 1);
  if (!isPageAddress(path) || !URL.canParse(wanted, base)) return '/';
  const { origin, pathname, search, hash } = new URL(wanted, base);
  return origin === base && !pathname.startsWith('//') ? pathname + search + hash : '/';
}

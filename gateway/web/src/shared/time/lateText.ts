import type { Translate } from '../language/useTranslation.ts';

/** How late work is, in minutes, hours or days. */
export function lateText({ minutes }: { minutes: number }, t: Translate): string {
  if (minutes < 120)
    return t('{count, plural, one {# minute late} other {# minutes late}}', { count: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return t('{count, plural, one {# hour late} other {# hours late}}', { count: hours });
  return t('{count, plural, one {# day late} other {# days late}}', { count: Math.floor(hours / 24) });
}

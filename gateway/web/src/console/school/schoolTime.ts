import { i18n } from '@lingui/core';

/*
 * The interface writes most times as they are at the school ("2026-11-21 10:15:00", without a zone), and some in UTC. The
 * former are shown as they are written, whatever the zone of the browser.
 */

/** A time of the school in the language of the page. */
export const formatSchoolTime = (time: string): string =>
  i18n.date(new Date(`${time.replace(' ', 'T')}Z`), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });

/** What a field for a time of the browser has for a time in UTC. */
export function fieldTimeOf(time: string): string {
  const date = new Date(time);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The time in UTC that a field for a time of the browser has. */
export const utcTimeOf = (fieldTime: string): string =>
  new Date(fieldTime).toISOString().replace(/\.\d+Z$/, 'Z');

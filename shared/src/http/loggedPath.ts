// The token of a calendar is part of its URL, and grants access to it. Matches misspelled URLs too.
const calendarToken = /(calendar\/).+/i;

/** Returns a path for the log: without the query, which can contain signatures, and without the token of a calendar. */
export const loggedPath = (path: string): string =>
  (path.split('?', 1)[0] ?? '').replace(calendarToken, '$1REDACTED');

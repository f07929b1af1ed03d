import type { Response } from 'express';
import { announce } from '../forwarding/responseHeaders.ts';

export interface Deprecation {
  /** The last day on which the route works, as `YYYY-MM-DD`. */
  sunset: string;
  headers: [name: string, value: string][];
}

const day = 24 * 60 * 60 * 1_000;

/** The minimum time for which a deprecated route works (docs/api-policy.md). */
const noticeDays = 180;

/**
 * Deprecates a route: `['GET', '/api/v3/old', 'courses', deprecated('2027-01-15', '2027-09-01')]`.
 * @param since the day of the release that deprecates it
 * @param sunset the last day on which it works
 * @throws Error if there is too little time between them
 */
export function deprecated(since: string, sunset: string): { deprecation: Deprecation } {
  const [start, end] = [Date.parse(since), Date.parse(sunset)];
  if (!(end - start >= noticeDays * day))
    throw new Error(`a route deprecated on ${since} must work for ${noticeDays} days, not until ${sunset}`);
  // RFC 9745 uses a time in Unix seconds, and RFC 8594 an HTTP date.
  const headers: Deprecation['headers'] = [
    ['Deprecation', `@${start / 1_000}`],
    ['Sunset', new Date(end + day - 1_000).toUTCString()],
    ['Link', '</docs>; rel="deprecation"; type="text/html"'],
  ];
  return { deprecation: { sunset, headers } };
}

export function announceDeprecation(res: Response, { headers }: Deprecation): void {
  for (const [name, value] of headers) announce(res, name, value);
}

import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';

/** Records what the answer of auth to a login says, because a forwarded response does not keep its headers. */
export function recordLoginAnswer(res: Response, headers: IncomingHttpHeaders): void {
  res.locals.lacksSecondFactor = headers.second_factor !== undefined;
}

/** Whether a login was refused only because its second factor is missing. */
export const lacksSecondFactor = (res: Response): boolean => res.locals.lacksSecondFactor === true;

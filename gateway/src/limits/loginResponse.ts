import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';

/** Records the header of auth's response to a login, because a forwarded response does not keep its headers. */
export function recordLoginResponse(res: Response, headers: IncomingHttpHeaders): void {
  res.locals.lacksSecondFactor = headers.second_factor !== undefined;
}

/** Whether a login was refused only because its second factor is missing. */
export const lacksSecondFactor = (res: Response): boolean => res.locals.lacksSecondFactor === true;

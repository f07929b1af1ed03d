import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';

/** Records a header of auth's response to a login, because headers cannot be read from a response once they are sent. */
export function recordLoginResponse(res: Response, headers: IncomingHttpHeaders): void {
  res.locals.lacksSecondFactor = headers.second_factor !== undefined;
}

/** Whether a login was refused only because it has no second factor. */
export const lacksSecondFactor = (res: Response): boolean => res.locals.lacksSecondFactor === true;

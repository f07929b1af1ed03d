import { afterResponse } from '@gradeway/shared/http/afterResponse';
import type { Request, Response } from 'express';
import type { Config } from '../config.ts';
import { lacksSecondFactor } from './loginResponse.ts';
import { addressKey, createRateLimit } from './rateLimit.ts';

const windowSeconds = 15 * 60;

/** Counts a login or a request for a one-time code. @throws AppError 429 when its address has had too many */
export type CountLogin = (login: 'failures' | 'codes', req: Request, res: Response) => Promise<void>;

/** The logins of an address whose results are not known yet, and those that wait for a result. */
interface Undecided {
  count: number;
  waiting: (() => void)[];
}

/**
 * Limits what an address may do without an account. Requests for one-time codes have a limit of their own (D50). A login
 * counts as failed until its response shows that it is not, so that simultaneous ones do not pass the limit together. All
 * browsers of a school may have one address: when the limit would be exceeded only if all undecided logins failed, further
 * ones wait for their results. Once the limit is reached, logins are refused without checking the password.
 */
export function createLoginLimits({
  loginLimit,
  codeLimit,
}: Pick<Config, 'loginLimit' | 'codeLimit'>): CountLogin {
  const logins = createRateLimit('logins', loginLimit, windowSeconds);
  const codes = createRateLimit('codes', codeLimit, windowSeconds);
  const addresses = new Map<string, Undecided>();

  async function countUntilDecided(key: string, res: Response): Promise<void> {
    let reservation = await logins.reserve(key);
    while ('refuse' in reservation) {
      const undecided = addresses.get(key);
      if (!undecided) return reservation.refuse();
      await new Promise<void>((resolve) => undecided.waiting.push(resolve));
      reservation = await logins.reserve(key);
    }
    const { giveBack } = reservation;
    const undecided = addresses.get(key) ?? { count: 0, waiting: [] };
    addresses.set(key, undecided);
    undecided.count += 1;
    const decide = (isFailure: boolean) => {
      if (!isFailure) giveBack();
      undecided.count -= 1;
      if (undecided.count === 0) addresses.delete(key);
      const woken = undecided.count === 0 ? undecided.waiting.length : Number(!isFailure);
      for (const wake of undecided.waiting.splice(0, woken)) wake();
    };
    if (res.closed) decide(false);
    else afterResponse(res, () => decide(isFailedLogin(res)));
  }

  return (login, req, res) => {
    const key = addressKey(req.ip);
    return login === 'codes' ? codes.count(key) : countUntilDecided(key, res);
  };
}

// A client that disconnects before the response must not guess without limit; a user who lacks only the second factor has
// not guessed.
const isFailedLogin = (res: Response): boolean =>
  !res.headersSent || (res.statusCode === 401 && !lacksSecondFactor(res));

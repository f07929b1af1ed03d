import { setTimeout as sleep } from 'node:timers/promises';
import { afterResponse } from '@gradeway/shared/http/afterResponse';
import type { Request, Response } from 'express';
import type { Config } from '../config.ts';
import type { LimitStore } from './limitStore.ts';
import { lacksSecondFactor } from './loginResponse.ts';
import { addressKey, createRateLimit } from './rateLimit.ts';

const windowSeconds = 15 * 60;

// How long, and how often, a login that the shared limit refuses is tried again: other replicas may have undecided logins.
const patienceMs = 3_000;
const pollMs = 250;

/**
 * Counts a login or a request for a one-time code.
 * @throws AppError 429 when its address has sent too many of them
 */
export type CountLogin = (login: 'failures' | 'codes', req: Request, res: Response) => Promise<void>;

/** Logins from an address whose results are not known yet, and others waiting for a result. */
interface Undecided {
  count: number;
  waiting: (() => void)[];
}

/**
 * Limits failed logins and, separately, requests for one-time codes by address (D50). A login counts as failed until its response
 * shows that it succeeded, so that simultaneous logins cannot exceed the limit together. Because all browsers of a school may share
 * an address, further logins wait for the undecided ones if these could still leave room below the limit. Once the limit is
 * reached, logins are refused without checking the password.
 */
export function createLoginLimits(
  { loginLimit, codeLimit }: Pick<Config, 'loginLimit' | 'codeLimit'>,
  store?: LimitStore,
): CountLogin {
  const logins = createRateLimit('logins', loginLimit, windowSeconds, store);
  const codes = createRateLimit('codes', codeLimit, windowSeconds, store);
  const addresses = new Map<string, Undecided>();

  async function countUntilDecided(key: string, res: Response): Promise<void> {
    // While the store responds, others may be reserved, and those reserved earlier may be decided.
    const deadline = performance.now() + (store ? patienceMs : 0);
    let earlier = addresses.get(key);
    let reservation = await logins.reserve(key);
    while ('refuse' in reservation) {
      const undecided = addresses.get(key) ?? earlier;
      if (!undecided && performance.now() >= deadline) return reservation.refuse();
      if (!undecided) await sleep(pollMs);
      else if (undecided.count > 0) await new Promise<void>((resolve) => undecided.waiting.push(resolve));
      earlier = addresses.get(key);
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

// Disconnecting before the response must not allow unlimited guesses. A missing second factor is not a failed guess.
const isFailedLogin = (res: Response): boolean =>
  !res.headersSent || (res.statusCode === 401 && !lacksSecondFactor(res));

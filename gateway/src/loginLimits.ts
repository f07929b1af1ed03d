import type { Request, Response } from 'express';
import type { Config } from './config.ts';
import { lacksSecondFactor } from './loginAnswer.ts';
import { addressKey, createRateLimit } from './rateLimit.ts';

const windowSeconds = 15 * 60;

/** Counts a login or a request for a one-time code. @throws AppError 429 when its address has had too many */
export type CountLogin = (login: 'failures' | 'codes', req: Request, res: Response) => Promise<void>;

/**
 * Limits what an address may do without an account. Requests for one-time codes have a limit of their own (D50). A failed
 * login shows in the response. Once the limit is reached, requests are refused without checking the password.
 */
export function createLoginLimits({
  loginLimit,
  codeLimit,
}: Pick<Config, 'loginLimit' | 'codeLimit'>): CountLogin {
  const logins = createRateLimit('logins', loginLimit, windowSeconds);
  const codes = createRateLimit('codes', codeLimit, windowSeconds);

  return async (login, req, res) => {
    const key = addressKey(req.ip);
    if (login === 'codes') return codes.count(key);
    await logins.check(key);
    res.once('finish', () => {
      // Who lacks only the second factor has not guessed.
      if (res.statusCode === 401 && !lacksSecondFactor(res)) logins.count(key).catch(() => {});
    });
  };
}

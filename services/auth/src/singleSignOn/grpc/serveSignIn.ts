import { AppError } from '@gradeway/shared/errors/appError';
import { networkOf } from '@gradeway/shared/http/clientAddress';
import { requestContext } from '@gradeway/shared/process/requestContext';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { ClientDevice } from '../../domain/device.ts';
import type { LoginResult } from '../../domain/openSession.ts';
import { unixSeconds } from '../../tokens/accessTokenIssuer.ts';
import { errorCode } from '../domain/errorCode.ts';
import { SignInRefused } from '../domain/signInRefusal.ts';
import { countSignIn, type SignInResult } from '../signInMetrics.ts';

export interface Browser {
  address: string;
  userAgent: string;
}

const maxUserAgentLength = 512;

/** The browser of a sign-in, described as a device without a token (D9). */
export const clientOf = (browser: Browser | null): ClientDevice => ({
  type: 'web',
  token: null,
  name: null,
  userAgent: (browser?.userAgent ?? '').slice(0, maxUserAgentLength),
  network: networkOf(browser?.address ?? ''),
});

/** Runs `work` with the browser's address, for the audit log. */
export function forBrowser<T>(browser: Browser | null, work: () => Promise<T>): Promise<T> {
  const context = requestContext.getStore();
  return context ? requestContext.run({ ...context, address: browser?.address }, work) : work();
}

/**
 * Runs a step of a sign-in. A refusal is a regular response: a call that fails would count as a failure of auth, and
 * the gateway would stop calling it. Counts the result, if this step has one.
 */
export async function serveSignIn<T extends object>(
  { log }: Pick<ServiceDependencies, 'log'>,
  provider: string,
  work: () => Promise<T & { result?: SignInResult }>,
): Promise<T | { refusal: string }> {
  try {
    const { result, ...response } = await work();
    if (result) countSignIn(provider, result);
    return response as T;
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_requests') return { refusal: 'limited' };
    if (!(error instanceof SignInRefused)) {
      countSignIn(provider, 'error');
      throw error;
    }
    const { refusal, cause } = error;
    // The id comes from a URL and must not become a label or fill the log.
    if (refusal === 'unknown_provider') return { refusal };
    countSignIn(provider, refusal);
    log.info(
      { provider, refusal, reason: cause === undefined ? undefined : errorCode(cause) },
      'sign-in refused',
    );
    return { refusal };
  }
}

export const tokenOf = ({ accessToken, expiresAt }: LoginResult) => ({
  accessToken,
  expiresAt: { seconds: unixSeconds(expiresAt) },
});

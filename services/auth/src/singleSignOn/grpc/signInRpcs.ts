import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { ReauthenticationDependencies } from '../../domain/requireReauthentication.ts';
import { completeSignIn } from '../domain/completeSignIn.ts';
import { errorCode } from '../domain/errorCode.ts';
import { type FinishSignInDependencies, finishSignIn } from '../domain/finishSignIn.ts';
import { startSignIn } from '../domain/startSignIn.ts';
import type { SignInResult } from '../signInMetrics.ts';
import { clientOf, forBrowser, serveSignIn, tokenOf } from './serveSignIn.ts';

export type SignInRpcDependencies = FinishSignInDependencies &
  ReauthenticationDependencies &
  Pick<ServiceDependencies, 'verifyToken'>;

type SignInRpcs = Pick<
  Rpcs<AuthServiceHandlers>,
  'StartSignIn' | 'FinishSignIn' | 'CompleteSignIn' | 'GetSignOutUrl'
>;

/** The RPCs with which the gateway signs browsers in at a provider. */
export const signInRpcs = (dependencies: SignInRpcDependencies): SignInRpcs => ({
  StartSignIn: ({ provider, redirectUri, next, linkToken, reauthenticate: reauthenticates }) =>
    serveSignIn(dependencies, provider, () =>
      startSignIn(dependencies, { provider, redirectUri, next, linkToken, reauthenticates }),
    ),

  FinishSignIn: ({ provider, state, query, browser }) =>
    serveSignIn(dependencies, provider, async () => {
      const client = clientOf(browser);
      const response = { provider, state, query, client };
      const { next, login, waiting } = await forBrowser(browser, () => finishSignIn(dependencies, response));
      if (waiting !== null)
        return { refusal: 'second_factor', next, state: waiting, result: 'second_factor' };
      const result: SignInResult = login ? 'opened' : 'linked';
      return { next, token: login && tokenOf(login), result };
    }),

  CompleteSignIn: ({ provider, state, totp, browser }) =>
    serveSignIn(dependencies, provider, async () => {
      const code = { provider, state, totp, client: clientOf(browser) };
      const login = await forBrowser(browser, () => completeSignIn(dependencies, code));
      return { token: tokenOf(login), result: 'opened' };
    }),

  async GetSignOutUrl({ provider: id, redirectUri }) {
    const provider = dependencies.providers.get(id);
    if (!provider?.settings.endsSession) return {};
    try {
      return { url: (await provider.endSessionUrl(redirectUri)) ?? '' };
    } catch (error) {
      dependencies.log.warn(
        { provider: id, reason: errorCode(error) },
        'the provider has no page to sign out',
      );
      return {};
    }
  },
});

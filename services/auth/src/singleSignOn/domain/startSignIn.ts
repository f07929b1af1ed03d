import type { ServiceDependencies } from '../../dependencies.ts';
import {
  lacksReauthentication,
  type ReauthenticationDependencies,
} from '../../domain/requireReauthentication.ts';
import type { OidcProvider } from '../clients/oidcProvider.ts';
import { isUnavailable } from '../clients/providerFetch.ts';
import { SignInRefused } from './signInRefusal.ts';

type Dependencies = ReauthenticationDependencies &
  Pick<ServiceDependencies, 'providers' | 'signIns' | 'verifyToken'>;

interface Start {
  provider: string;
  redirectUri: string;
  next: string;
  /** The token of the account that an identity is linked to; undefined for a login. */
  linkToken: string | undefined;
  /** Whether the provider must ask for the person's credentials again. */
  reauthenticates: boolean;
}

/**
 * Begins a sign-in and returns the provider's page with the state that only this browser gets.
 * @throws SignInRefused
 */
export async function startSignIn(
  dependencies: Dependencies,
  { provider: id, redirectUri, next, linkToken, reauthenticates }: Start,
): Promise<{ url: string; state: string }> {
  const provider = requireProvider(dependencies, id);
  // The browser does not send the session cookie when it returns from the provider, so the account is stored now.
  const link = linkToken === undefined ? null : await accountOf(dependencies, linkToken);
  const { url, state, secrets } = await provider.begin(redirectUri, reauthenticates).catch((error) => {
    throw toRefusal(error, 'unavailable');
  });
  await dependencies.signIns.add(state, { provider: id, ...secrets, next, link, confirmed: null });
  return { url, state };
}

/** @throws SignInRefused */
export function requireProvider({ providers }: Pick<Dependencies, 'providers'>, id: string): OidcProvider {
  const provider = providers.get(id);
  if (!provider) throw new SignInRefused('unknown_provider');
  return provider;
}

/** Distinguishes a provider that is down from one whose response is invalid. */
export const toRefusal = (error: unknown, otherwise: 'failed' | 'unavailable'): SignInRefused =>
  new SignInRefused(isUnavailable(error) ? 'unavailable' : otherwise, error);

async function accountOf(dependencies: Dependencies, token: string) {
  const { userId, sessionId } = await dependencies.verifyToken(token).catch((error) => {
    throw new SignInRefused('failed', error);
  });
  if (sessionId === null) throw new SignInRefused('failed');
  if (await lacksReauthentication(dependencies, { sessionId })) throw new SignInRefused('reauthentication');
  return { userId, sessionId };
}

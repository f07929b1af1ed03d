import { randomBytes } from 'node:crypto';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { ClientDevice } from '../../domain/device.ts';
import { SecondFactorRequired } from '../../domain/loginErrors.ts';
import type { LoginResult } from '../../domain/openSession.ts';
import type { ConfirmedPerson, OidcProvider } from '../clients/oidcProvider.ts';
import { findAccount } from './findAccount.ts';
import type { ConfirmedIdentity } from './identity.ts';
import { linkIdentity } from './linkIdentity.ts';
import { type OpenProviderSessionDependencies, openProviderSession } from './openProviderSession.ts';
import type { PendingSignIn } from './pendingSignIn.ts';
import { SignInRefused, toBlocked } from './signInRefusal.ts';
import { requireProvider, toRefusal } from './startSignIn.ts';

export type FinishSignInDependencies = OpenProviderSessionDependencies &
  Pick<ServiceDependencies, 'providers' | 'signIns' | 'passwordHasher' | 'outbox'>;

interface Response {
  provider: string;
  /** From the browser's cookie. The gateway has already compared it with the state in the query. */
  state: string;
  query: string;
  client: ClientDevice;
}

export interface FinishedSignIn {
  next: string;
  /** Null if an identity was linked or the second factor is missing. */
  login: LoginResult | null;
  /** The state of the sign-in that waits for a second factor. */
  waiting: string | null;
}

/**
 * Finishes a sign-in with the provider's response: opens a session or links an identity.
 * @throws SignInRefused
 */
export async function finishSignIn(
  dependencies: FinishSignInDependencies,
  { provider: id, state, query, client }: Response,
): Promise<FinishedSignIn> {
  const provider = requireProvider(dependencies, id);
  const signIn = await dependencies.signIns.take(id, state);
  if (!signIn) throw new SignInRefused('failed');
  const { next, link } = signIn;
  const person = await confirm(provider, query, state, signIn);
  if (link) {
    await linkIdentity(dependencies, link, person);
    return { next, login: null, waiting: null };
  }
  const { identity } = person;
  try {
    const userId = await findAccount(dependencies, provider.settings, person);
    return {
      next,
      login: await openProviderSession(dependencies, { userId, identity, client }),
      waiting: null,
    };
  } catch (error) {
    if (!(error instanceof SecondFactorRequired)) throw toBlocked(error);
    return { next, login: null, waiting: await wait(dependencies, signIn, identity) };
  }
}

const passingErrors = new Set(['temporarily_unavailable', 'server_error']);

async function confirm(
  provider: OidcProvider,
  query: string,
  state: string,
  signIn: PendingSignIn,
): Promise<ConfirmedPerson> {
  try {
    return await provider.confirm(query, state, signIn);
  } catch (error) {
    const isPassing = passingErrors.has(new URLSearchParams(query).get('error') ?? '');
    throw toRefusal(error, isPassing ? 'unavailable' : 'failed');
  }
}

/** Keeps a confirmed identity until the administrator enters the second factor. */
async function wait(
  { signIns }: FinishSignInDependencies,
  signIn: PendingSignIn,
  confirmed: ConfirmedIdentity,
): Promise<string> {
  const state = randomBytes(32).toString('base64url');
  await signIns.add(state, { ...signIn, confirmed });
  return state;
}

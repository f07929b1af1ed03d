import type { ClientDevice } from '../../domain/device.ts';
import { SecondFactorRequired } from '../../domain/loginErrors.ts';
import type { LoginResult } from '../../domain/openSession.ts';
import type { FinishSignInDependencies } from './finishSignIn.ts';
import { isWrongSecondFactor, openProviderSession } from './openProviderSession.ts';
import { SignInRefused, toBlocked } from './signInRefusal.ts';
import { requireProvider } from './startSignIn.ts';

interface Code {
  provider: string;
  state: string;
  totp: string;
  client: ClientDevice;
}

/**
 * Completes a sign-in that waits for a second factor. A wrong code leaves it waiting.
 * @throws SignInRefused; AppError `too_many_requests` after too many wrong codes
 */
export async function completeSignIn(
  dependencies: FinishSignInDependencies,
  { provider, state, totp, client }: Code,
): Promise<LoginResult> {
  const { signIns, identities } = dependencies;
  requireProvider(dependencies, provider);
  const identity = (await signIns.findConfirmed(provider, state))?.confirmed;
  const userId = identity ? await identities.findUserId(identity) : undefined;
  if (!identity || userId === undefined) throw new SignInRefused('failed');
  try {
    return await openProviderSession(dependencies, {
      ...{ userId, identity, client, totp },
      confirm: (transaction) => signIns.deleteConfirmed(provider, state, transaction),
    });
  } catch (error) {
    if (isWrongSecondFactor(error) || error instanceof SecondFactorRequired)
      throw new SignInRefused('second_factor', error);
    throw toBlocked(error);
  }
}

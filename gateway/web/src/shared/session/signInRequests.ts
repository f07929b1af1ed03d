import { readError } from '../api/apiError.ts';
import { headers, type TokenResponse } from './sessionRequests.ts';

/** Completes a sign-in with a provider with the second factor. */
export async function completeSignIn(provider: string, totp: string): Promise<string> {
  const body = JSON.stringify({ provider, totp });
  const response = await fetch('/session/sso', { method: 'POST', headers, body });
  if (!response.ok) throw await readError(response);
  return ((await response.json()) as TokenResponse).access_token;
}

import type { ConfirmedIdentity } from './identity.ts';

/** What only this browser's sign-in has. */
export interface SignInSecrets {
  redirectUri: string;
  nonce: string;
  codeVerifier: string;
}

/** A sign-in that a browser has begun. */
export interface PendingSignIn extends SignInSecrets {
  provider: string;
  next: string;
  /** Set if it links an identity to an account that is logged in. */
  link: { userId: number; sessionId: number } | null;
  /** The identity that the provider has confirmed, if only the second factor is missing. */
  confirmed: ConfirmedIdentity | null;
}

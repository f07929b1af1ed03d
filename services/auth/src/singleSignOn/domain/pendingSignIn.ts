import type { ConfirmedIdentity } from './identity.ts';

/** The secrets of one browser's sign-in. */
export interface SignInSecrets {
  redirectUri: string;
  nonce: string;
  codeVerifier: string;
}

/** A sign-in that a browser has begun. */
export interface PendingSignIn extends SignInSecrets {
  provider: string;
  next: string;
  /** Set if the sign-in links an identity to a logged-in account. */
  link: { userId: number; sessionId: number } | null;
  /** The identity that the provider has confirmed, if only the second factor is missing. */
  confirmed: ConfirmedIdentity | null;
}

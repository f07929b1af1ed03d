import type { Role } from '@gradeway/shared/auth/roles';

/** Whom a provider has identified. `issuer` and `subject` are the identity. */
export interface ConfirmedIdentity {
  /** Id of the provider in `OIDC_PROVIDERS`. */
  provider: string;
  issuer: string;
  subject: string;
  /** The provider's own session, if it has one. */
  sid: string | null;
  /** When the person entered credentials at the provider, in Unix seconds, if the provider says so. */
  authenticatedAt?: number;
}

/** The data that a provider sends about a person. */
export interface PersonClaims {
  firstName: string;
  lastName: string;
  /** Null without a valid address. */
  email: string | null;
  isEmailVerified: boolean;
  role: Exclude<Role, 'admin'>;
}

/** An identity that is linked to an account. */
export interface LinkedIdentity {
  id: number;
  userId: number;
  provider: string;
  subject: string;
  email: string | null;
  linkedAt: Date;
}

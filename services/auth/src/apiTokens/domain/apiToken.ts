import type { Scope } from '@gradeway/shared/auth/scopes';

/** A token that was issued for programs, as its owner sees it. */
export interface ApiToken {
  id: number;
  name: string;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date;
  /** Exact to five minutes. */
  lastUsedAt: Date | null;
}

/** Who a token belongs to. */
export type TokenOwner = { userId: number } | { serviceAccountId: number };

/** A token with its text, which is returned once and stored nowhere. */
export interface IssuedToken {
  token: ApiToken;
  text: string;
}

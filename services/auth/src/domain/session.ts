/** A login that has not ended. */
export interface OpenSession {
  id: number;
  userId: number;
  /** The one token that counts now. */
  tokenId: string;
  tokenExpiresAt: Date;
  /** Opened with a one-time code, and the password was not changed since (D16). */
  changePassword: boolean;
}

export interface ListedRevocation {
  sessionId: number | null;
  tokenId: string | null;
  /** The `kid` of a signing key. */
  keyId: string | null;
  expiresAt: Date;
}

export interface RevocationPage {
  revocations: ListedRevocation[];
  cursor: string;
  more: boolean;
}

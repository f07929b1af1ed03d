import type { DeviceType } from './device.ts';

/** A session as its account sees it. */
export interface ListedSession {
  id: number;
  /** Null when the device was removed, or not registered. */
  deviceType: DeviceType | null;
  deviceName: string | null;
  createdAt: Date;
}

/** A login that has not ended. */
export interface Session {
  id: number;
  userId: number;
  /** The only token of the session that is valid. */
  tokenId: string;
  tokenExpiresAt: Date;
  /** The token that the current one replaced, while a refresh still accepts it once; otherwise null (D52). */
  replacedTokenId: string | null;
  replacedTokenUntil: Date | null;
  /** Whether it was opened with a one-time code and the password has not been changed since (D16). */
  changePassword: boolean;
}

import type { DeviceType } from './device.ts';

/** A session as shown to its user. */
export interface ListedSession {
  id: number;
  /** Null if the device was removed or never registered. */
  deviceType: DeviceType | null;
  deviceName: string | null;
  createdAt: Date;
}

/** A login that has not ended. */
export interface Session {
  id: number;
  userId: number;
  /** The session's only valid token. */
  tokenId: string;
  tokenExpiresAt: Date;
  /** The token replaced by the current one, while a refresh still accepts it once; otherwise null (D52). */
  replacedTokenId: string | null;
  replacedTokenUntil: Date | null;
  /** Whether it was opened with a one-time code and the password has not been changed since (D16). */
  changePassword: boolean;
}

/** Selects an account's open sessions: all of them unless narrowed. */
export interface SessionSelector {
  userId: number;
  only?: number;
  except?: number;
  deviceId?: number;
}

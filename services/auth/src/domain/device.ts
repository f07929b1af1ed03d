export const deviceTypes = ['web', 'app', 'desktop'] as const;

export type DeviceType = (typeof deviceTypes)[number];

/** Something that an account was used on. */
export interface Device {
  id: number;
  userId: number;
  token: string;
  type: DeviceType;
  name: string | null;
  /** Set when the client brought no token and the server made it (D9). */
  userAgent: string | null;
  isDisabled: boolean;
  lastLoginAt: Date;
}

/** What a client says of the device that it runs on. */
export interface Client {
  type: DeviceType;
  token: string | null;
  name: string | null;
  userAgent: string;
}

/** Missing or unknown means `web` (D9). */
export const readDeviceType = (value: unknown): DeviceType =>
  deviceTypes.find((type) => type === value) ?? 'web';

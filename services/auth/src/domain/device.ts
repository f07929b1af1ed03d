export const deviceTypes = ['web', 'app', 'desktop'] as const;

export type DeviceType = (typeof deviceTypes)[number];

/** A device that an account has logged in on. */
export interface Device {
  id: number;
  userId: number;
  token: string;
  type: DeviceType;
  name: string | null;
  /** Set if the client sent no token and the server generated one (D9). */
  userAgent: string | null;
  isDisabled: boolean;
  lastLoginAt: Date;
}

/** The device as described by the client at login. */
export interface ClientDevice {
  type: DeviceType;
  token: string | null;
  name: string | null;
  userAgent: string;
  /** The network that the request comes from (shared/src/http/clientAddress.ts); empty if unknown. */
  network: string;
}

/** A missing or unknown type is `web` (D9). */
export const parseDeviceType = (value: unknown): DeviceType =>
  deviceTypes.find((type) => type === value) ?? 'web';

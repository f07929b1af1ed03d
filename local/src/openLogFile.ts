import { fchmodSync, openSync } from 'node:fs';

const ownerOnly = 0o600;

/** Opens a log file for appending. Only its owner can read it, because it contains login codes with `OTP_TO_LOG=1`. */
export function openLogFile(path: string): number {
  const file = openSync(path, 'a', ownerOnly);
  // An earlier version may have created it readable for everyone.
  fchmodSync(file, ownerOnly);
  return file;
}

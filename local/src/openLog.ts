import { fchmodSync, openSync } from 'node:fs';

const ownerOnly = 0o600;

/** Opens a log file for appending. Only its owner may read it: with `OTP_TO_LOG=1` it contains login codes. */
export function openLog(path: string): number {
  const file = openSync(path, 'a', ownerOnly);
  // An earlier version may have created it for everyone.
  fchmodSync(file, ownerOnly);
  return file;
}

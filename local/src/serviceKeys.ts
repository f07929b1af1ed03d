import { createHmac } from 'node:crypto';
import { type ProcessName, processNames } from './processes.ts';

/**
 * The value of `SERVICE_KEYS` for one process: a key for each other process, derived from a secret that no process has.
 * k8s/createSecrets.js derives the keys in the same way.
 */
export const serviceKeysOf = (name: ProcessName, secret: string): string =>
  processNames
    .filter((peer) => peer !== name)
    .map((peer) => `${peer}=${pairKey(secret, [name, peer])}`)
    .join(',');

const pairKey = (secret: string, pair: string[]): string =>
  createHmac('sha256', secret)
    .update(`service key ${pair.toSorted().join(' ')}`)
    .digest('base64url');

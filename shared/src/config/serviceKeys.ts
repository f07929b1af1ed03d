import type { Setting } from './readConfig.ts';

/**
 * The keys that a process shares with each peer, by peer name. The first key signs; all are accepted. No other process
 * has these keys, so none can impersonate the peer.
 */
export type PeerKeys = ReadonlyMap<string, readonly string[]>;

/** Keys for each peer (`SERVICE_KEYS`), or one secret shared by all processes (`SERVICE_SECRET`). */
export type ServiceSecret = PeerKeys | string;

const noKeys: readonly string[] = [];

/** The keys shared with a peer. The first signs; all are accepted. */
export function keysWith(peer: string, secret: ServiceSecret): readonly string[] {
  return typeof secret === 'string' ? [secret] : (secret.get(peer) ?? noKeys);
}

/** Returns the key that signs calls to a peer. @throws Error when there is none */
export function signingKeyWith(peer: string, secret: ServiceSecret): string {
  const [first] = keysWith(peer, secret);
  if (!first) throw new Error(`SERVICE_KEYS has no key for ${peer}`);
  return first;
}

/** Parses the value of `SERVICE_KEYS`. @throws Error whose message contains no key */
export function parsePeerKeys(text: string): PeerKeys {
  const keys = new Map<string, string[]>();
  for (const pair of text.split(',').filter((each) => each.trim() !== '')) {
    const [, peer, encoded = ''] = /^\s*([a-z]+)=(\S+)\s*$/.exec(pair) ?? [];
    if (!peer) throw new Error('must be a list like auth=KEY,courses=KEY');
    const key = decode(encoded, peer);
    if (key.length < 16) throw new Error(`must have keys of at least 16 characters, including for ${peer}`);
    keys.set(peer, [...(keys.get(peer) ?? []), key]);
  }
  return keys;
}

function decode(encoded: string, peer: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new Error(`must have percent-encoded keys, including for ${peer}`);
  }
}

/** Declares `SERVICE_KEYS`. `alternative` declares the secret used when it is unset. */
export const serviceKeys = (about: string, alternative: Setting<string>): Setting<ServiceSecret> => ({
  name: 'SERVICE_KEYS',
  kind: 'peer=key list',
  about,
  defaultText: undefined,
  required: true,
  parse: parsePeerKeys,
  alternative: { ...alternative, required: false },
});

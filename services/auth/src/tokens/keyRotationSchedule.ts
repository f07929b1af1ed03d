/** A key signs from this time until its successor starts. */
interface ScheduledKey {
  signsFrom: Date;
}

/**
 * How long a key is published before it signs. Verifiers fetch the keys every five minutes, so all of them have it by
 * then, even after one failed fetch.
 */
const publishedBeforeUseMs = 600_000;

// Allows for clock skew and for replicas that reload the keys late.
const graceMs = 600_000;

/** Returns the key that signs at a given time: the latest one that has started. */
export const signingKeyAt = <Key extends ScheduledKey>(keys: readonly Key[], now: number): Key | undefined =>
  inOrder(keys).findLast(({ signsFrom }) => signsFrom.getTime() <= now);

/**
 * Whether a new key is due: no key signs, as at the first start, or the current one has reached its maximum age and no
 * successor is pending.
 */
export function isSuccessorDue(keys: readonly ScheduledKey[], now: number, keyAgeMs: number): boolean {
  if (!signingKeyAt(keys, now)) return true;
  return keys.every(({ signsFrom }) => signsFrom.getTime() + keyAgeMs <= now);
}

/**
 * The time at which a key created now starts to sign: immediately if no key signs, otherwise once every
 * verifier has fetched it.
 */
export const successorSignsFrom = (keys: readonly ScheduledKey[], now: number): Date =>
  new Date(signingKeyAt(keys, now) ? now + publishedBeforeUseMs : now);

/** Whether a key no longer signs in any replica. */
export const isRetired = (key: ScheduledKey, keys: readonly ScheduledKey[], now: number): boolean =>
  endOf(key, keys) + graceMs <= now;

/**
 * Whether a key is no longer needed to verify the tokens of sessions because the last one it signed can no longer be
 * refreshed. `tokenLifeMs` is how long a token can be refreshed after it was signed.
 */
export const isSpent = (
  key: ScheduledKey,
  keys: readonly ScheduledKey[],
  now: number,
  tokenLifeMs: number,
): boolean => endOf(key, keys) + tokenLifeMs + graceMs <= now;

function endOf(key: ScheduledKey, keys: readonly ScheduledKey[]): number {
  const successor = inOrder(keys).find(({ signsFrom }) => signsFrom > key.signsFrom);
  return successor?.signsFrom.getTime() ?? Number.POSITIVE_INFINITY;
}

const inOrder = <Key extends ScheduledKey>(keys: readonly Key[]): Key[] =>
  keys.toSorted((a, b) => a.signsFrom.getTime() - b.signsFrom.getTime());

/** When a key begins to sign. It ends when the next one begins. */
interface Dated {
  signsFrom: Date;
}

/**
 * How long a key is published before it signs. Verifiers fetch the keys every five minutes, so all of them have
 * it by then, even after a fetch that failed.
 */
const publishedBeforeUseMs = 600_000;

// For replicas and clocks that are a little behind.
const graceMs = 600_000;

/** The key that signs now: the latest of those that have begun. */
export const signerAt = <Key extends Dated>(keys: readonly Key[], now: number): Key | undefined =>
  inOrder(keys).findLast(({ signsFrom }) => signsFrom.getTime() <= now);

/**
 * Whether a new key is due: none signs, as at the very start, or the present one has signed for long enough and none
 * is waiting already.
 */
export function isSuccessorDue(keys: readonly Dated[], now: number, ageMs: number): boolean {
  if (!signerAt(keys, now)) return true;
  return keys.every(({ signsFrom }) => signsFrom.getTime() + ageMs <= now);
}

/** When a key that is made now begins to sign: at once where none does, else when every verifier has it. */
export const startOfSuccessor = (keys: readonly Dated[], now: number): Date =>
  new Date(signerAt(keys, now) ? now + publishedBeforeUseMs : now);

/** Whether a key is done with signing, for every replica. */
export const isRetired = (key: Dated, keys: readonly Dated[], now: number): boolean =>
  endOf(key, keys) + graceMs <= now;

/**
 * Whether nobody needs a key any more, not even to verify: the last token that it signed can no longer be
 * refreshed. `tokenLifeMs` is how long that is after it was signed.
 */
export const isSpent = (key: Dated, keys: readonly Dated[], now: number, tokenLifeMs: number): boolean =>
  endOf(key, keys) + tokenLifeMs + graceMs <= now;

function endOf(key: Dated, keys: readonly Dated[]): number {
  const successor = inOrder(keys).find(({ signsFrom }) => signsFrom > key.signsFrom);
  return successor?.signsFrom.getTime() ?? Number.POSITIVE_INFINITY;
}

const inOrder = <Key extends Dated>(keys: readonly Key[]): Key[] =>
  keys.toSorted((a, b) => a.signsFrom.getTime() - b.signsFrom.getTime());

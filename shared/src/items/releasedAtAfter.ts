import type { ItemSettings } from './item.ts';

type Release = Pick<ItemSettings, 'release' | 'releaseAt' | 'releasedAt'>;

/**
 * Returns the release of an item after a change. `release: manual` hides the grades, even if they were released before;
 * `immediate` shows them, and makes a scheduled release unnecessary. A time that has passed releases the grades at once.
 */
export function releasedAtAfter(
  before: Release,
  changes: Partial<Pick<Release, 'release' | 'releaseAt'>>,
  now: Date,
): Release {
  const release = changes.release ?? before.release;
  // A time that was given together with `immediate` is a contradiction, which `requireConsistent` rejects.
  if (release === 'immediate') return { release, releaseAt: changes.releaseAt ?? null, releasedAt: null };
  const releasedAt = changes.release === 'manual' ? null : before.releasedAt;
  const releaseAt = changes.releaseAt === undefined ? before.releaseAt : changes.releaseAt;
  if (releaseAt && releaseAt <= now) return { release, releaseAt: null, releasedAt: releasedAt ?? now };
  return { release, releaseAt, releasedAt };
}

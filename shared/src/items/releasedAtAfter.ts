import { areGradesVisible, type ItemSettings } from './item.ts';

/** The settings of an item that determine whether students see its grades, and whether graders see its students. */
export type Release = Pick<ItemSettings, 'release' | 'releaseAt' | 'releasedAt' | 'anonymous'>;

/**
 * Returns when an item's grades are released, after a change. `release: manual` hides the grades, even if they were
 * released before; `immediate` shows them, and makes a scheduled release unnecessary. A time in the past releases the
 * grades immediately. Anonymity ends when students see the grades, and does not return when they are hidden again.
 */
export function releasedAtAfter(
  before: Release,
  changes: Partial<Pick<Release, 'release' | 'releaseAt' | 'anonymous'>>,
  now: Date,
): Release {
  const times = timesAfter(before, changes, now);
  const isStillHidden = !areGradesVisible(before) && !areGradesVisible(times);
  return { ...times, anonymous: changes.anonymous ?? (before.anonymous && isStillHidden) };
}

function timesAfter(
  before: Release,
  changes: Partial<Pick<Release, 'release' | 'releaseAt'>>,
  now: Date,
): Omit<Release, 'anonymous'> {
  const release = changes.release ?? before.release;
  // A time together with `immediate` is a contradiction, which `requireConsistent` rejects.
  if (release === 'immediate') return { release, releaseAt: changes.releaseAt ?? null, releasedAt: null };
  const releasedAt = changes.release === 'manual' ? null : before.releasedAt;
  const releaseAt = changes.releaseAt === undefined ? before.releaseAt : changes.releaseAt;
  if (releaseAt && releaseAt <= now) return { release, releaseAt: null, releasedAt: releasedAt ?? now };
  return { release, releaseAt, releasedAt };
}

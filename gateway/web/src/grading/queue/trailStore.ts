import type { ItemId } from './gradingTypes.ts';
import type { Trail } from './trail.ts';

const keyOf = ({ kind, itemId }: ItemId) => `gradeway.trail.${kind}.${itemId}`;

/** Returns the trail of this tab, which survives a reload. */
export function readTrail(item: ItemId): Trail {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(item)) ?? '[]') as Trail;
  } catch {
    return [];
  }
}

export function rememberTrail(item: ItemId, trail: Trail): void {
  try {
    sessionStorage.setItem(keyOf(item), JSON.stringify(trail));
  } catch {
    // If the storage is full, the next and previous keys only reach claimed submissions.
  }
}

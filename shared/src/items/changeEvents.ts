import type { CloudEvent } from '../events/cloudEvent.ts';
import { areGradesVisible } from './item.ts';
import {
  gradesReleasedOrWithheld,
  type ItemService,
  itemChanged,
  itemPublished,
  type PublishedItem,
} from './itemEvents.ts';

/** Returns the events of an item that was created (`before` is null), changed, removed or restored. */
export function changeEvents(
  service: ItemService,
  before: PublishedItem | null,
  after: PublishedItem,
): CloudEvent[] {
  const events = [itemChanged(service, after)];
  if (after.isDeleted) return events;
  const wasShown = before?.published === true && !before.isDeleted;
  if (after.published && !wasShown) events.push(itemPublished(service, after));
  if (changesVisibility(before, after)) events.push(gradesReleasedOrWithheld(service, after));
  return events;
}

/** Whether grades of an item become visible or hidden. A new item is compared with an item of the same release kind. */
export const changesVisibility = (before: PublishedItem | null, after: PublishedItem): boolean =>
  areGradesVisible(before ?? { release: after.release, releasedAt: null }) !== areGradesVisible(after);

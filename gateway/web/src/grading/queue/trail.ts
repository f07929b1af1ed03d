/** The submissions through which the next and previous keys step, in this order. */
export type Trail = readonly number[];

const maxLength = 1_000;

/**
 * Returns the trail after opening a submission: unchanged if it already contains the submission, otherwise with the
 * submission inserted after the one that was open before, which may have been opened by its URL.
 */
export function withOpened(trail: Trail, id: number, after: number): Trail {
  if (trail.includes(id)) return trail;
  const place = trail.indexOf(after);
  const longer = place < 0 ? [...trail, after, id] : trail.toSpliced(place + 1, 0, id);
  return longer.slice(-maxLength);
}

export function neighbour(trail: Trail, id: number, step: 1 | -1): number | undefined {
  const place = trail.indexOf(id);
  return place < 0 ? undefined : trail[place + step];
}

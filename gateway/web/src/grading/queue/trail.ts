/** The submissions that a grader goes through with the keys for next and previous, in their order. */
export type Trail = readonly number[];

const longest = 1_000;

/**
 * The trail after opening a submission: at its place if it is known, else after the one that was open before. That one may have
 * been opened by its address.
 */
export function withOpened(trail: Trail, id: number, after: number): Trail {
  if (trail.includes(id)) return trail;
  const place = trail.indexOf(after);
  const longer = place < 0 ? [...trail, after, id] : trail.toSpliced(place + 1, 0, id);
  return longer.slice(-longest);
}

export function neighbour(trail: Trail, id: number, step: 1 | -1): number | undefined {
  const place = trail.indexOf(id);
  return place < 0 ? undefined : trail[place + step];
}

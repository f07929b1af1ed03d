const rowsPerStatement = 1_000;

/** Yields ids or rows in batches that are small enough to keep each statement well below the statement timeout. */
export function* batches<Each>(all: Each[], size = rowsPerStatement): Generator<Each[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}

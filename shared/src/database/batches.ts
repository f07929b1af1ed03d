const rowsPerStatement = 1_000;

/** Yields ids in batches, so that no statement with one of them comes near the statement timeout. */
export function* batches(ids: number[], size = rowsPerStatement): Generator<number[]> {
  for (let start = 0; start < ids.length; start += size) yield ids.slice(start, start + size);
}

/** Calls a function for each item in order, with at most `limit` calls in progress. */
export async function forEachConcurrently<T>(
  limit: number,
  items: readonly T[],
  call: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries();
  const work = async () => {
    for (const [index, item] of waiting) await call(item, index);
  };
  await Promise.all(Array.from({ length: limit }, work));
}

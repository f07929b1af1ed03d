/** Wraps a function so that calls within `ms` of the first share its result. */
export function shareResult<T>(call: () => Promise<T>, ms: number): () => Promise<T> {
  let shared: Promise<T> | undefined;
  let until = 0;
  return () => {
    const now = performance.now();
    if (shared === undefined || now >= until) {
      shared = call();
      until = now + ms;
    }
    return shared;
  };
}

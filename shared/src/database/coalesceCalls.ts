/**
 * Shares one call among all callers that request it before it starts. A result is never older than its request, and at
 * most one call runs at a time.
 */
export function coalesceCalls<T>(call: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  const begin = (): Promise<T> => {
    next = undefined;
    const begun = call().finally(() => {
      if (current === begun) current = undefined;
    });
    current = begun;
    return begun;
  };
  return () => {
    // The call in progress may have read its result before this request.
    if (current) next ??= current.then(begin, begin);
    return next ?? begin();
  };
}

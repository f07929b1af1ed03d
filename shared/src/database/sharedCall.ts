/**
 * Shares a call among those who ask for it before it begins. Its result is never older than the question, and there is never
 * more than one call in progress.
 */
export function sharedCall<T>(call: () => Promise<T>): () => Promise<T> {
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
    // The one in progress may have been answered before this question.
    if (current) next ??= current.then(begin, begin);
    return next ?? begin();
  };
}

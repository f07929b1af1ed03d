import { useSyncExternalStore } from 'react';

/** Must match audit.css. */
const narrow = window.matchMedia('(max-width: 48rem)');

function follow(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
}

/** Whether the window is as narrow as a phone. */
export const useIsNarrow = (): boolean => useSyncExternalStore(follow, () => narrow.matches);

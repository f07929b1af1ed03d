import { useEffect, useSyncExternalStore } from 'react';

/** Keys and a description of their effect, an English text. */
export type Shortcut = readonly [keys: string, english: string];

let shown: readonly Shortcut[] = [];
const listeners = new Set<() => void>();

function show(shortcuts: readonly Shortcut[]): void {
  shown = shortcuts;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Lists the page's keys in the dialog "Keyboard shortcuts" while mounted. `shortcuts` must be referentially stable. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  useEffect(() => {
    show(shortcuts);
    return () => show([]);
  }, [shortcuts]);
}

export const useShownShortcuts = (): readonly Shortcut[] => useSyncExternalStore(subscribe, () => shown);

import { useEffect } from 'react';
import { createStore, useStore } from '../state/createStore.ts';

/** Keys and a description of their effect, an English text. */
export type Shortcut = readonly [keys: string, english: string];

const pageShortcuts = createStore<readonly Shortcut[]>([]);

/** Lists the page's keys in the dialog "Keyboard shortcuts" while mounted. `shortcuts` must be referentially stable. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  useEffect(() => {
    pageShortcuts.set(shortcuts);
    return () => pageShortcuts.set([]);
  }, [shortcuts]);
}

export const usePageShortcuts = (): readonly Shortcut[] => useStore(pageShortcuts, (shortcuts) => shortcuts);

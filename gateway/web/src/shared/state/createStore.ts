import { useSyncExternalStore } from 'react';

/** A value that lives outside React's tree. Components follow it with `useStore`. */
export interface ReadableStore<T> {
  get(): T;
  /** Calls `listener` after each change. Returns the function that unsubscribes it. */
  subscribe(listener: () => void): () => void;
}

interface Store<T> extends ReadableStore<T> {
  /** Replaces the value, which must never be mutated: React compares it by reference. */
  set(value: T): void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns the part of a store's value that `select` picks. The component re-renders when that part changes. */
export const useStore = <T, Part>({ subscribe, get }: ReadableStore<T>, select: (value: T) => Part): Part =>
  useSyncExternalStore(subscribe, () => select(get()));

import { expect, test, vi } from 'vitest';
import { createStore } from './createStore.ts';

test('a store calls its listeners with the new value in place', () => {
  const store = createStore(1);
  const seen: number[] = [];
  store.subscribe(() => seen.push(store.get()));
  store.set(2);
  expect(seen).toEqual([2]);
});

test('an unsubscribed listener is not called', () => {
  const store = createStore('a');
  const [listener, other] = [vi.fn(), vi.fn()];
  const unsubscribe = store.subscribe(listener);
  store.subscribe(other);
  unsubscribe();
  store.set('b');
  expect(listener).not.toHaveBeenCalled();
  expect(other).toHaveBeenCalledOnce();
});

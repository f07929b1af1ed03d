import { expect, test } from 'vitest';
import { neighbour, withOpened } from './trail.ts';

test('next and previous follow the order of the table', () => {
  expect(neighbour([4, 7, 9], 7, 1)).toBe(9);
  expect(neighbour([4, 7, 9], 7, -1)).toBe(4);
  expect(neighbour([4, 7, 9], 9, 1)).toBeUndefined();
  expect(neighbour([4, 7, 9], 5, 1)).toBeUndefined();
});

test('a claimed submission follows the one opened before it', () => {
  expect(withOpened([4, 7], 12, 7)).toEqual([4, 7, 12]);
  expect(withOpened([4, 7, 9], 12, 4)).toEqual([4, 12, 7, 9]);
});

test('a submission opened by its URL precedes those claimed after it', () => {
  expect(withOpened([], 12, 7)).toEqual([7, 12]);
  expect(withOpened([4], 12, 7)).toEqual([4, 7, 12]);
});

test('opening a known submission again changes nothing', () => {
  const trail = [4, 7];
  expect(withOpened(trail, 4, 7)).toBe(trail);
});

test('a trail has a maximum length', () => {
  const trail = Array.from({ length: 1_000 }, (_, index) => index + 1);
  const longer = withOpened(trail, 5_000, 1_000);
  expect(longer).toHaveLength(1_000);
  expect(longer.at(-1)).toBe(5_000);
});

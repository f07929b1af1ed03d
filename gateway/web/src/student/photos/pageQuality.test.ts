import { expect, test } from 'vitest';
import { encodeWithin, pageBudget, pageSize, pixelSize, qualities } from './pageQuality.ts';

const best = { longSide: 2200, jpeg: 0.8 };

test('a few pages may each be large, many share what a file may have', () => {
  expect(pageBudget(1)).toBe(1_500_000);
  expect(pageBudget(3) * 3).toBeLessThan(20_000_000);
  expect(pageBudget(100) * 100).toBeLessThanOrEqual(20_000_000);
});

test('a large photo is made smaller, a small one is not made larger', () => {
  expect(pixelSize(4000, 3000, best)).toEqual({ width: 2200, height: 1650 });
  expect(pixelSize(800, 600, best)).toEqual({ width: 800, height: 600 });
  expect(pixelSize(10_000, 1, best).height).toBe(1);
});

test('a page keeps the shape of its photo and fits on A4', () => {
  const { width, height } = pageSize(3000, 4000);
  expect(width / height).toBeCloseTo(0.75);
  expect(width).toBeLessThanOrEqual(595.28);
  expect(pageSize(4000, 3000).width).toBeLessThanOrEqual(841.89);
});

test('the quality is lowered until the page fits, and no further', async () => {
  const tried: number[] = [];
  const encode = async ({ longSide }: { longSide: number }) => {
    tried.push(longSide);
    return { size: longSide * 500 };
  };
  expect(await encodeWithin(1_000_000, encode)).toEqual({ size: 950_000 });
  expect(tried).toEqual([2200, 1900]);
});

test('what fits with no quality gets the lowest', async () => {
  const encode = async ({ longSide }: { longSide: number }) => ({ size: longSide * 1_000_000 });
  expect(await encodeWithin(1, encode)).toEqual({ size: (qualities.at(-1)?.longSide ?? 0) * 1_000_000 });
});

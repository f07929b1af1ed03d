import { expect, test } from 'vitest';
import { encodeWithin, pageBudget, pageSize, pixelSize, qualities } from './pageQuality.ts';

const best = { pixels: 3_000_000, jpeg: 0.8 };

test("a few pages may be large, while many pages share the file's size limit", () => {
  expect(pageBudget(1, 1)).toBe(1_500_000);
  expect(pageBudget(3, 1) * 3).toBeLessThan(20_000_000);
  expect(pageBudget(100, 1) * 100).toBeLessThanOrEqual(20_000_000);
  expect(pageBudget(4, 20) * 80).toBeLessThanOrEqual(20_000_000);
});

test('a large photo is reduced, and a small one is not enlarged', () => {
  expect(pixelSize(4000, 3000, best)).toEqual({ width: 2000, height: 1500 });
  expect(pixelSize(800, 600, best)).toEqual({ width: 800, height: 600 });
  expect(pixelSize(100_000_000, 1, best).height).toBe(1);
});

test('a long image stays legible', () => {
  expect(pixelSize(1080, 2700, best).width).toBe(1080);
  expect(pixelSize(1080, 12_000, { pixels: 3_400_000, jpeg: 0.8 }).width).toBeGreaterThan(500);
});

test('a page keeps the shape of its photo and fits on A4', () => {
  const { width, height } = pageSize(3000, 4000);
  expect(width / height).toBeCloseTo(0.75);
  expect(width).toBeLessThanOrEqual(595.28);
  expect(pageSize(4000, 3000).width).toBeLessThanOrEqual(841.89);
});

test('the quality is reduced only until the page fits', async () => {
  const tried: number[] = [];
  const encode = async ({ pixels }: { pixels: number }) => {
    tried.push(pixels);
    return { size: pixels / 3 };
  };
  expect(await encodeWithin(900_000, encode)).toEqual({ size: 2_500_000 / 3 });
  expect(tried).toEqual([3_400_000, 2_500_000]);
});

test('a page that does not fit at any quality gets the lowest', async () => {
  const encode = async ({ pixels }: { pixels: number }) => ({ size: pixels });
  expect(await encodeWithin(1, encode)).toEqual({ size: qualities.at(-1)?.pixels });
});

import { expect, test } from 'vitest';
import { pageParts } from './pageParts.ts';

test('a photo, a page and a phone screen are one page each', () => {
  for (const [width, height] of [
    [3000, 4000],
    [4000, 3000],
    [1080, 2400],
  ] as const)
    expect(pageParts({ x: 5, y: 7, width, height })).toEqual([{ x: 5, y: 7, width, height }]);
});

test('a long screenshot is split into A4 pages that overlap slightly', () => {
  const parts = pageParts({ x: 0, y: 100, width: 1080, height: 12_000 });
  expect(parts[0]).toEqual({ x: 0, y: 100, width: 1080, height: 1527 });
  expect((parts.at(-1)?.y ?? 0) + 1527).toBe(12_100);
  for (const [index, { y }] of parts.entries()) {
    if (index === 0) continue;
    const common = (parts[index - 1]?.y ?? 0) + 1527 - y;
    expect(common).toBeGreaterThan(0.045 * 1527);
    expect(common).toBeLessThan(0.2 * 1527);
  }
});

test('a wide image is split from its left', () => {
  const parts = pageParts({ x: 0, y: 0, width: 3000, height: 1000 });
  expect(parts.map(({ x, y, height }) => [x, y, height])).toEqual([
    [0, 0, 1000],
    [793, 0, 1000],
    [1586, 0, 1000],
  ]);
});

test('a one-pixel line is split into a finite number of pages', () => {
  expect(pageParts({ x: 0, y: 0, width: 100, height: 1 }).length).toBeLessThan(120);
});

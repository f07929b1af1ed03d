import { expect, test } from 'vitest';
import { type Point, pageToView } from '../../shared/sheet/pageCoordinates.ts';
import { highlight, penLine, stamp, textMark } from './newMark.ts';

const box = { left: 0, bottom: 0, width: 200, height: 300 };
const place = { fileId: 5, page: 2, box, toView: pageToView(box, 0) };

test('a stamp is centred on its position and stays on the page', () => {
  expect(stamp(place, 'check', [100, 100])).toMatchObject({
    file_id: 5,
    page: 2,
    kind: 'check',
    rect: [91, 91, 18, 18],
  });
  expect(stamp(place, 'cross', [0, 300]).rect).toEqual([0, 282, 18, 18]);
});

test('a line has no more points than can be saved', () => {
  const drawn = Array.from({ length: 5_000 }, (_, index): Point => [(index % 100) + 10, 50 + index / 50]);
  const line = penLine(place, drawn);
  expect(line?.points?.length).toBeLessThanOrEqual(2_000);
  expect(line?.points?.at(0)).toEqual([10, 50]);
  expect(penLine(place, [[10, 10]])).toBeUndefined();
});

test('a highlight without an area is not created', () => {
  expect(highlight(place, [10, 10, 1, 40])).toBeUndefined();
  expect(highlight(place, [10, 10, 60, 12])?.rect).toEqual([10, 10, 60, 12]);
});

test('a text is placed where it is read, even on a rotated page', () => {
  const turned = { ...place, toView: pageToView(box, 90) };
  // 20 to the right and 30 down on a page rotated clockwise, where right is up on the page and down is right.
  expect(textMark(turned, 'why?', [20, 30], { width: 60, height: 14 }).rect).toEqual([30, 20, 14, 60]);
  expect(textMark(place, 'why?', [20, 30], { width: 60, height: 14 }).rect).toEqual([20, 256, 60, 14]);
});

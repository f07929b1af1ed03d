import { expect, test } from 'vitest';
import { inverse, pageToView } from '../../shared/sheet/pageCoordinates.ts';
import { arrowStep, distanceOnPage, movedMark } from './movedMark.ts';
import { penLine, stamp } from './newMark.ts';

const box = { left: 10, bottom: 20, width: 200, height: 300 };
const placeOf = (turn: 0 | 90) => ({ fileId: 1, page: 1, box, toView: pageToView(box, turn) });

test('a mark is moved and stays on the page', () => {
  const mark = stamp(placeOf(0), 'check', [100, 100]);
  expect(movedMark(mark, [5, -7], box).rect).toEqual([96, 84, 18, 18]);
  expect(movedMark(mark, [900, 900], box).rect).toEqual([192, 302, 18, 18]);
});

test('a line keeps its shape at the edge of the page', () => {
  const line = penLine(placeOf(0), [
    [50, 50],
    [60, 70],
  ]);
  if (!line) throw new Error('no line');
  const moved = movedMark(line, [-500, 0], box);
  expect(moved.points).toEqual([
    [10, 50],
    [20, 70],
  ]);
  expect(moved.rect).toEqual([10, 50, 10, 20]);
});

test('moving right on the screen moves up on a page rotated clockwise', () => {
  expect(distanceOnPage(inverse(pageToView(box, 0)), [10, 0])).toEqual([10, 0]);
  expect(distanceOnPage(inverse(pageToView(box, 90)), [10, 0]).map(Math.round)).toEqual([0, 10]);
});

test('only arrow keys move a mark', () => {
  expect(arrowStep('ArrowUp', 5)?.map((each) => each + 0)).toEqual([0, -5]);
  expect(arrowStep('a', 5)).toBeUndefined();
});

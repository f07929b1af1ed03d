import { expect, test } from 'vitest';
import {
  inside,
  inverse,
  type Matrix,
  pageToView,
  place,
  placeRect,
  rectAround,
  rectInside,
  sizeOf,
  type Turn,
  turned,
  turnView,
  type VisibleBox,
} from './pageCoordinates.ts';

const turns: Turn[] = [0, 90, 180, 270];
// A page of 200 by 300 points whose CropBox starts at 10,20.
const box: VisibleBox = { left: 10, bottom: 20, width: 200, height: 300 };
const corners = {
  lowerLeft: [10, 20],
  upperLeft: [10, 320],
  upperRight: [210, 320],
  lowerRight: [210, 20],
} as const;

test.each([
  [0, corners.upperLeft],
  [90, corners.lowerLeft],
  [180, corners.lowerRight],
  [270, corners.upperRight],
] as const)(
  'rotation by %i puts the expected corner of the page at the upper left of the view',
  (turn, corner) => {
    expect(place(pageToView(box, turn), corner).map(Math.abs)).toEqual([0, 0]);
  },
);

test.each(turns)('a page rotated by %i fills the view', (turn) => {
  const { width, height } = sizeOf(box, turn);
  expect(placeRect(pageToView(box, turn), [10, 20, 200, 300]).map(Math.abs)).toEqual([0, 0, width, height]);
});

test.each(turns)('a point placed in a view rotated by %i is shown where it was placed', (turn) => {
  const matrix = pageToView(box, turn);
  const [x, y] = place(inverse(matrix), place(matrix, [33.5, 47.25]));
  expect([x, y]).toEqual([33.5, 47.25]);
});

test('rotating a rotated view is the same as rotating the page by the sum', () => {
  const combine = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
    a * g + c * h,
    b * g + d * h,
    a * i + c * j,
    b * i + d * j,
    a * k + c * l + e,
    b * k + d * l + f,
  ];
  for (const page of turns)
    for (const further of turns) {
      const upright = pageToView(box, page);
      const both = combine(turnView(sizeOf(box, page), further), upright);
      expect(both.map((value) => value + 0)).toEqual(
        pageToView(box, turned(page, further)).map((value) => value + 0),
      );
    }
});

test('marks stay on the page', () => {
  expect(inside(box, [-5, 400])).toEqual([10, 320]);
  expect(rectInside(box, [205, 315, 18, 18])).toEqual([192, 302, 18, 18]);
  expect(rectInside(box, [0, 0, 500, 10])).toEqual([10, 20, 200, 10]);
});

test('a line is enclosed by its rectangle', () => {
  expect(
    rectAround([
      [10, 20],
      [15, 18],
      [12, 30],
    ]),
  ).toEqual([10, 18, 5, 12]);
});

test('rotations are between 0 and 270', () => {
  expect([turned(270, 90), turned(0, -90), turned(180, 270)]).toEqual([0, 270, 90]);
});

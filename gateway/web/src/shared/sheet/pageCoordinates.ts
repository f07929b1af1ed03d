/** An affine transform as in PDF and SVG: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
export type Point = readonly [x: number, y: number];
/** Left, bottom (on the page) or top (in a view), width and height. */
export type Rect = readonly [x: number, y: number, width: number, height: number];

/** Clockwise degrees. */
export type Turn = 0 | 90 | 180 | 270;

/** The visible part of a page as stored, in points from the lower left of its MediaBox. */
export interface VisibleBox {
  left: number;
  bottom: number;
  width: number;
  height: number;
}

export const turned = (one: number, other: number): Turn => ((((one + other) % 360) + 360) % 360) as Turn;

export const sizeOf = ({ width, height }: { width: number; height: number }, turn: Turn) =>
  turn % 180 === 0 ? { width, height } : { width: height, height: width };

/**
 * Maps page coordinates, whose y axis points up, to the displayed rotated page: its origin is the upper left and its y
 * axis points down.
 */
export function pageToView({ left, bottom, width, height }: VisibleBox, turn: Turn): Matrix {
  switch (turn) {
    case 0:
      return [1, 0, 0, -1, -left, bottom + height];
    case 90:
      return [0, 1, 1, 0, -bottom, -left];
    case 180:
      return [-1, 0, 0, 1, left + width, -bottom];
    case 270:
      return [0, -1, -1, 0, bottom + height, left + width];
  }
}

/** Rotates a view of this size further. */
export function turnView({ width, height }: { width: number; height: number }, turn: Turn): Matrix {
  switch (turn) {
    case 0:
      return [1, 0, 0, 1, 0, 0];
    case 90:
      return [0, 1, -1, 0, height, 0];
    case 180:
      return [-1, 0, 0, -1, width, height];
    case 270:
      return [0, -1, 1, 0, 0, width];
  }
}

export const place = ([a, b, c, d, e, f]: Matrix, [x, y]: Point): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
];

/** Inverts a transform that rotates, mirrors and translates. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  const determinant = a * d - b * c;
  const [ia, ib, ic, id] = [d / determinant, -b / determinant, -c / determinant, a / determinant];
  return [ia, ib, ic, id, -(ia * e + ic * f), -(ib * e + id * f)];
}

/** Returns the rectangle between two opposite corners. */
export function rectBetween([x1, y1]: Point, [x2, y2]: Point): Rect {
  return [Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1)];
}

export const placeRect = (matrix: Matrix, [x, y, width, height]: Rect): Rect =>
  rectBetween(place(matrix, [x, y]), place(matrix, [x + width, y + height]));

/** Two decimals are far finer than anyone can see. */
const rounded = (value: number) => Math.round(value * 100) / 100;

export function inside({ left, bottom, width, height }: VisibleBox, [x, y]: Point): Point {
  const within = (min: number, value: number, max: number) => Math.min(Math.max(value, min), max);
  return [rounded(within(left, x, left + width)), rounded(within(bottom, y, bottom + height))];
}

/** Moves a rectangle into the page, and clips it if it is larger. */
export function rectInside(box: VisibleBox, [x, y, width, height]: Rect): Rect {
  const [w, h] = [Math.min(width, box.width), Math.min(height, box.height)];
  const [left, bottom] = inside({ ...box, width: box.width - w, height: box.height - h }, [x, y]);
  return [left, bottom, Math.floor(w * 100) / 100, Math.floor(h * 100) / 100];
}

/** Returns the bounding box of points. */
export function rectAround(points: readonly Point[]): Rect {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, bottom] = [Math.min(...xs), Math.min(...ys)];
  return [left, bottom, rounded(Math.max(...xs) - left), rounded(Math.max(...ys) - bottom)];
}

export const svgMatrix = (matrix: Matrix): string => `matrix(${matrix.join(' ')})`;

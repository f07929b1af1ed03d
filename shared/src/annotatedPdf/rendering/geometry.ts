/** An affine transformation as in PDF: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A rectangle in page coordinates. */
export interface Box {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** The number of clockwise quarter turns that viewers apply to a page. */
export type Rotation = 0 | 1 | 2 | 3;

/** A rectangle as the reader sees it: upright, with its origin at the lower left. */
export interface Frame {
  width: number;
  height: number;
  /** Maps frame coordinates to page coordinates. */
  toPage: Matrix;
}

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Applies `inner` first, then `outer`. */
export function combine(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

export const translate = (x: number, y: number): Matrix => [1, 0, 0, 1, x, y];

/** Returns the frame of a box on a page that viewers rotate. */
export function frameOf({ left, bottom, right, top }: Box, rotation: Rotation): Frame {
  const [width, height] = [right - left, top - bottom];
  switch (rotation) {
    case 0:
      return { width, height, toPage: translate(left, bottom) };
    case 1:
      return { width: height, height: width, toPage: [0, 1, -1, 0, right, bottom] };
    case 2:
      return { width, height, toPage: [-1, 0, 0, -1, right, top] };
    case 3:
      return { width: height, height: width, toPage: [0, -1, 1, 0, left, top] };
  }
}

/** Converts a box from page to frame coordinates. */
export function boxInFrame({ left, bottom, right, top }: Box, { toPage }: Frame): Box {
  const [a, b, c, d, e, f] = toPage;
  // A frame is only rotated and translated, so the inverse of its linear part is the transpose.
  const place = (x: number, y: number) => [a * (x - e) + b * (y - f), c * (x - e) + d * (y - f)] as const;
  const [x1, y1] = place(left, bottom);
  const [x2, y2] = place(right, top);
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) };
}

/** Whether two boxes share a point. */
export const touches = (one: Box, other: Box): boolean =>
  one.left <= other.right && other.left <= one.right && one.bottom <= other.top && other.bottom <= one.top;

/** Returns the overlap of two boxes; undefined if they do not overlap. */
export function intersection(one: Box, other: Box): Box | undefined {
  const left = Math.max(one.left, other.left);
  const bottom = Math.max(one.bottom, other.bottom);
  const right = Math.min(one.right, other.right);
  const top = Math.min(one.top, other.top);
  return left < right && bottom < top ? { left, bottom, right, top } : undefined;
}

/** Clamps `value` to `min` and `max`. `min` wins if they contradict. */
export const within = (value: number, min: number, max: number): number =>
  Math.max(min, Math.min(max, value));

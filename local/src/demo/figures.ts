/** Points in millimetres. */
type Curve = [x: number, y: number][];

/** An equilateral triangle and its axes, as imprecise as a hand drawing. */
export function triangle(x: number, y: number): Curve[] {
  const corners: Curve = [
    [x, y],
    [x + 32, y + 54],
    [x - 31, y + 55],
  ];
  const sides = corners.map((corner, index): Curve => [corner, corners[(index + 1) % 3] ?? corner]);
  const axes = corners.map(
    ([cx, cy]): Curve => [
      [cx, cy],
      [x + (x - cx) * 0.62 + 0.5, y + 36 + (y + 36 - cy) * 0.62],
    ],
  );
  return [...sides, ...axes];
}

/** A square, and an arrow that turns it. */
export function square(x: number, y: number): Curve[] {
  const corners: Curve = [
    [x, y],
    [x + 40, y + 1],
    [x + 41, y + 40],
    [x - 1, y + 41],
  ];
  const sides = corners.map((corner, index): Curve => [corner, corners[(index + 1) % 4] ?? corner]);
  const arrow: Curve[] = [
    [
      [x + 30, y + 12],
      [x + 20, y + 8],
      [x + 9, y + 15],
      [x + 9, y + 27],
      [x + 18, y + 33],
    ],
    [
      [x + 13, y + 34],
      [x + 18, y + 33],
      [x + 16, y + 28],
    ],
  ];
  return [...sides, ...arrow];
}

/**
 * Letters as pen strokes, for pages that look handwritten. A stroke is a series of points with two digits each: the
 * first runs to the right, the second upwards. The baseline is at 3; small letters reach 6, tall ones 9, and descenders
 * 0.
 */
const strokes: Record<string, string> = {
  a: '46260504133345464453',
  b: '0903 05264544331304',
  c: '462605042343',
  d: '452605041333454944',
  e: '044536160504133344',
  f: '48392823 0646',
  g: '4526050423454642301001',
  h: '0903 05264543',
  i: '161423 1818',
  j: '26211001 2828',
  k: '0903 460443',
  l: '191423',
  m: '0603 0516263533 3546566563',
  n: '0603 05264543',
  o: '26050423444526',
  p: '0600 052645442304',
  q: '452605042345 464051',
  r: '0603 051636',
  s: '361605343303',
  t: '18142333 0636',
  u: '0604133345 464453',
  v: '062346',
  w: '0613364366',
  x: '0643 4603',
  y: '0623 462300',
  z: '06460343',
  A: '032953 1545',
  B: '030939483606 3655433303',
  C: '58391806143354',
  D: '03093957553303',
  E: '49090343 0636',
  F: '490903 0636',
  G: '583918061433545636',
  H: '0903 5953 0656',
  I: '1913',
  J: '49443304',
  K: '0903 590653',
  L: '090343',
  M: '0309356963',
  N: '03095359',
  O: '39070533555739',
  P: '030939483606',
  Q: '39070533555739 3552',
  R: '030939483606 2653',
  S: '4829081645442304',
  T: '0959 2923',
  U: '0904133354 5953',
  V: '092359',
  W: '0913375369',
  X: '0953 5903',
  Y: '0926 492623',
  Z: '09590353',
  '0': '29070523454729',
  '1': '072923',
  '2': '082948360343',
  '3': '08294826453304',
  '4': '33390545',
  '5': '49190637452304',
  '6': '39170523443605',
  '7': '094913',
  '8': '260729472605234526',
  '9': '47260729484633',
  '=': '0646 0444',
  '+': '0545 2723',
  '-': '0535',
  '·': '1515',
  '.': '1313',
  ',': '1302',
  ':': '1515 1313',
  "'": '1918',
  '/': '0249',
  '(': '29070422',
  ')': '09272402',
  '<': '460543',
  '>': '064503',
  '∈': '571705041353 0545',
  '→': '0555 465544',
  '²': '081928170727',
  '⁻': '0828',
  '¹': '1917',
};

type Point = readonly [x: number, y: number];

const parsed = new Map<string, { strokes: Point[][]; width: number }>();

/**
 * Returns the strokes of a character and its width, in units (a tall letter is 6 units high); undefined for a space
 * and for unknown characters.
 */
export function strokesOf(character: string): { strokes: Point[][]; width: number } | undefined {
  const text = strokes[character];
  if (text === undefined) return undefined;
  let glyph = parsed.get(character);
  if (!glyph) {
    const points = text
      .split(' ')
      .map((stroke) =>
        (stroke.match(/../g) ?? []).map((pair): Point => [Number(pair[0]), Number(pair[1]) - 3]),
      );
    glyph = { strokes: points, width: Math.max(...points.flat().map(([x]) => x)) };
    parsed.set(character, glyph);
  }
  return glyph;
}

/** Adds points on a smooth curve (Catmull-Rom) through the given points, as a hand would draw it. */
export function smooth(points: readonly Point[], steps = 5): Point[] {
  if (points.length < 3) return [...points];
  const at = (index: number) => points[Math.min(Math.max(index, 0), points.length - 1)] as Point;
  const curve: Point[] = [];
  for (let index = 0; index < points.length - 1; index += 1) {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    for (let step = 0; step < steps; step += 1)
      curve.push(
        [0, 1].map((axis) => spline(before, from, to, after, axis, step / steps)) as unknown as Point,
      );
  }
  return [...curve, at(points.length - 1)];
}

function spline(before: Point, from: Point, to: Point, after: Point, axis: number, t: number): number {
  const [a, b, c, d] = [before, from, to, after].map((point) => point[axis as 0 | 1]) as [
    number,
    number,
    number,
    number,
  ];
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

import { encodePng } from './palettePng.ts';
import { seededRandom } from './random.ts';
import { smooth, strokesOf } from './strokeFont.ts';

type Point = readonly [x: number, y: number];

/** A handwritten page, in millimetres from its upper left corner. */
export interface WrittenPage {
  lines: { text: string; at: Point; size?: number }[];
  /** Curves and straight lines of figures. */
  figures?: Point[][];
}

// A4 at 96 dots per inch.
const [width, height] = [794, 1123];
const dotsPerMm = 96 / 25.4;
const paperTones = 8;
const [ruledLine, firstInk, inkTones] = [8, 10, 6];

// Paper from light to shaded, its printed lines, and blue ink from its soft edge to its centre.
const palette = [
  ...mix([252, 251, 247], [205, 200, 190], paperTones),
  ...mix([208, 218, 228], [196, 208, 221], 2),
  ...mix([176, 184, 208], [30, 42, 110], inkTones),
];

/**
 * Renders the page as a scanner would: slightly askew, on ruled paper, with a shadow and dust. The result is the same
 * for the same seed.
 */
export function scanPage({ lines, figures = [] }: WrittenPage, seed: number): Buffer {
  const random = seededRandom(seed);
  const angle = (random() - 0.5) * 0.04;
  const pixels = paper(random, angle);
  const turn = ([x, y]: Point): Point => [
    (x * Math.cos(angle) - y * Math.sin(angle)) * dotsPerMm,
    (x * Math.sin(angle) + y * Math.cos(angle)) * dotsPerMm,
  ];
  for (const { text, at, size = 1 } of lines)
    for (const stroke of write(text, at, size, random)) draw(pixels, stroke.map(turn), 0.85);
  for (const figure of figures) draw(pixels, smooth(figure).map(turn), 0.95);
  return encodePng({ width, height, pixels, palette });
}

function mix(from: readonly number[], to: readonly number[], count: number): [number, number, number][] {
  const between = (index: number, axis: number) => {
    const [start = 0, end = 0] = [from[axis], to[axis]];
    return Math.round(start + ((end - start) * index) / (count - 1));
  };
  return Array.from({ length: count }, (_, index) => [
    between(index, 0),
    between(index, 1),
    between(index, 2),
  ]);
}

/** Draws paper ruled every 9 mm, with a shadow from one side, and grain and dust everywhere. */
function paper(random: () => number, angle: number): Uint8Array {
  const pixels = new Uint8Array(width * height);
  const fromRight = random() < 0.5;
  const spacing = 9 * dotsPerMm;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const distance = (fromRight ? width - x : x) / width;
      const shade = Math.max(0, 1 - distance * 5) ** 2 * (paperTones - 2);
      const grain = random();
      const dust = grain > 0.9995 ? 4 : 0;
      const tone = Math.floor(shade + grain * 1.04 + dust);
      const line = (y - x * Math.tan(angle)) % spacing;
      const isRuled = line >= 0 && line < 1 && tone < 3;
      pixels[y * width + x] = isRuled ? ruledLine + (grain < 0.3 ? 1 : 0) : Math.min(tone, paperTones - 1);
    }
  return pixels;
}

/** Returns the strokes of a line of text. No two letters are exactly alike, as in real handwriting. */
function write(text: string, [left, base]: Point, size: number, random: () => number): Point[][] {
  const unit = 0.72 * size;
  const waver = (amount: number) => (random() - 0.5) * amount;
  const strokes: Point[][] = [];
  let x = left;
  for (const character of text) {
    const glyph = strokesOf(character);
    const [dx, dy, slant, scale] = [waver(0.2), waver(0.4), 0.16 + waver(0.06), 1 + waver(0.12)];
    for (const stroke of glyph?.strokes ?? []) {
      const points = stroke.map(([px, py]): Point => {
        const [sx, sy] = [(px + waver(0.25)) * scale, (py + waver(0.25)) * scale];
        return [x + dx + (sx + sy * slant) * unit, base + dy - sy * unit];
      });
      strokes.push(smooth(points));
    }
    x += ((glyph?.width ?? 2.5) * scale + 1.5) * unit;
  }
  return strokes;
}

/** Draws a stroke with a round pen and soft edges. */
function draw(pixels: Uint8Array, points: readonly Point[], radius: number): void {
  for (const [index, to] of points.entries())
    drawLine(pixels, points[Math.max(0, index - 1)] ?? to, to, radius + 1);
}

function drawLine(pixels: Uint8Array, [fromX, fromY]: Point, [toX, toY]: Point, reach: number): void {
  const [dx, dy] = [toX - fromX, toY - fromY];
  const length = dx * dx + dy * dy || 1;
  const [left, right] = [Math.floor(Math.min(fromX, toX) - reach), Math.ceil(Math.max(fromX, toX) + reach)];
  const [top, bottom] = [Math.floor(Math.min(fromY, toY) - reach), Math.ceil(Math.max(fromY, toY) + reach)];
  for (let y = Math.max(0, top); y <= Math.min(height - 1, bottom); y += 1)
    for (let x = Math.max(0, left); x <= Math.min(width - 1, right); x += 1) {
      const along = Math.min(1, Math.max(0, ((x - fromX) * dx + (y - fromY) * dy) / length));
      const [offX, offY] = [x - fromX - along * dx, y - fromY - along * dy];
      const cover = Math.min(1, reach - Math.sqrt(offX * offX + offY * offY));
      const tone = firstInk + Math.round(cover * (inkTones - 1));
      const at = y * width + x;
      if (cover > 0 && tone > (pixels[at] ?? 0)) pixels[at] = tone;
    }
}

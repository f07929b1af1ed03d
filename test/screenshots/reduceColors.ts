import { inflateSync } from 'node:zlib';
import { encodePng } from '@gradeway/local/demo/palettePng';

type Color = readonly [number, number, number];

const most = 256;

/** The same picture in 256 colours, at a third of the size. */
export function reduceColors(png: Buffer): Buffer {
  const { width, height, rgb } = decode(png);
  const kept = chooseColors(rgb);
  const palette = kept.map(split);
  const indexes = new Map(kept.map((color, index) => [color, index]));
  const indexOf = (color: number): number => {
    const known = indexes.get(color) ?? nearest(split(color), palette);
    indexes.set(color, known);
    return known;
  };
  return encodePng({ width, height, pixels: Uint8Array.from(rgb, indexOf), palette }, 9);
}

/**
 * The most frequent colours, preceded by one of each hue, so that a small tick stays green beside a thousand shades
 * of paper.
 */
function chooseColors(rgb: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const color of rgb) counts.set(color, (counts.get(color) ?? 0) + 1);
  const frequent = [...counts].toSorted(([, one], [, other]) => other - one).map(([color]) => color);
  const firstOfKind = new Map<number, number>();
  for (const color of frequent) {
    const kind = color & 0xe0e0e0;
    if (!firstOfKind.has(kind)) firstOfKind.set(kind, color);
  }
  return [...new Set([...firstOfKind.values(), ...frequent])].slice(0, most);
}

const split = (color: number): Color => [color >> 16, (color >> 8) & 255, color & 255];

function nearest(color: Color, palette: readonly Color[]): number {
  const distances = palette.map((each) =>
    each.reduce((sum, part, axis) => sum + (part - (color[axis] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

/** Reads a PNG written by Chromium: eight bits of red, green and blue, perhaps with an alpha of 255, not interlaced. */
function decode(png: Buffer): { width: number; height: number; rgb: Uint32Array } {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = png[25] === 6 ? 4 : 3;
  const stride = width * channels;
  const rows = inflateSync(Buffer.concat(dataOf(png)));
  const rgb = new Uint32Array(width * height);
  let above: Buffer = Buffer.alloc(stride);
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1);
    const row = unfilter(rows[start] ?? 0, rows.subarray(start + 1, start + 1 + stride), above, channels);
    for (let x = 0; x < width; x += 1) rgb[y * width + x] = row.readUIntBE(x * channels, 3);
    above = row;
  }
  return { width, height, rgb };
}

function dataOf(png: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return parts;
}

/** Undoes the filter of a row (PNG, section 9). */
function unfilter(filter: number, row: Buffer, above: Buffer, channels: number): Buffer {
  for (let at = 0; at < row.length; at += 1) {
    const left = at < channels ? 0 : (row[at - channels] ?? 0);
    const upper = above[at] ?? 0;
    const corner = at < channels ? 0 : (above[at - channels] ?? 0);
    const predicted = [0, left, upper, (left + upper) >> 1, paeth(left, upper, corner)][filter] ?? 0;
    row[at] = (row[at] ?? 0) + predicted;
  }
  return row;
}

function paeth(left: number, upper: number, corner: number): number {
  const estimate = left + upper - corner;
  const [byLeft, byUpper, byCorner] = [left, upper, corner].map((each) => Math.abs(estimate - each)) as [
    number,
    number,
    number,
  ];
  if (byLeft <= byUpper && byLeft <= byCorner) return left;
  return byUpper <= byCorner ? upper : corner;
}

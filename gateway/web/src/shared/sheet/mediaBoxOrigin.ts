import type { Point } from './pageCoordinates.ts';

const box = /\/MediaBox\s*\[\s*(-?[\d.]+)\s+(-?[\d.]+)\s+-?[\d.]+\s+-?[\d.]+\s*\]/g;

/**
 * Where the MediaBox of a file's pages begins. Coordinates of marks count from there, but pdf.js knows only what is visible of a
 * page. Nearly all begin at 0,0; others are recognised when every MediaBox in the file that is not compressed agrees.
 */
export function mediaBoxOrigin(bytes: Uint8Array): Point {
  const text = new TextDecoder('latin1').decode(bytes);
  let found: Point | undefined;
  for (const [, x, y] of text.matchAll(box)) {
    const origin: Point = [Number(x), Number(y)];
    if (found && (found[0] !== origin[0] || found[1] !== origin[1])) return [0, 0];
    found = origin;
  }
  return found ?? [0, 0];
}

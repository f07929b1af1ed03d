import type { Point } from '../../shared/sheet/pageCoordinates.ts';
import type { Tool } from './tools.ts';

/** The tools that are drawn with; a tap is enough for the others, and a finger that moves scrolls. */
const drawn = new Set<Tool>(['pen', 'highlight', 'eraser']);

/** Whether a pointer draws. Where a pen is used, fingers scroll, and so does the hand that rests on the screen. */
export function draws(pointerType: string, tool: Tool | undefined, hasPen: boolean): boolean {
  if (!tool || !drawn.has(tool)) return false;
  return pointerType !== 'touch' || !hasPen;
}

type Pair = readonly [Point, Point];

const distance = ([[x1, y1], [x2, y2]]: Pair) => Math.max(Math.hypot(x2 - x1, y2 - y1), 1);
export const middle = ([[x1, y1], [x2, y2]]: Pair): Point => [(x1 + x2) / 2, (y1 + y2) / 2];

/** How much larger two fingers make the page that they have moved apart. */
export const spread = (before: Pair, now: Pair): number => distance(now) / distance(before);

/** How far to scroll after zooming so that the point under the fingers stays there. */
export function scrollAfter(scroll: Point, from: Point, to: Point, ratio: number): Point {
  return [(scroll[0] + from[0]) * ratio - to[0], (scroll[1] + from[1]) * ratio - to[1]];
}

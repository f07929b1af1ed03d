import type { Point } from '../../shared/sheet/pageCoordinates.ts';
import type { Tool } from './tools.ts';

/** Tools that draw while the pointer moves. The others act on a tap, and a moving finger scrolls. */
const drawn = new Set<Tool>(['pen', 'highlight', 'eraser']);

/** Whether a pointer draws. Once a pen has been used, touch scrolls, and so does a hand resting on the screen. */
export function draws(pointerType: string, tool: Tool | undefined, hasPen: boolean): boolean {
  if (!tool || !drawn.has(tool)) return false;
  return pointerType !== 'touch' || !hasPen;
}

type Pair = readonly [Point, Point];

const distance = ([[x1, y1], [x2, y2]]: Pair) => Math.max(Math.hypot(x2 - x1, y2 - y1), 1);
export const middle = ([[x1, y1], [x2, y2]]: Pair): Point => [(x1 + x2) / 2, (y1 + y2) / 2];

/** Returns the factor by which the distance between two fingers has changed. */
export const spread = (before: Pair, now: Pair): number => distance(now) / distance(before);

/** Returns the scroll offset that keeps the point under the fingers in place after zooming. */
export function scrollAfter(scroll: Point, from: Point, to: Point, ratio: number): Point {
  return [(scroll[0] + from[0]) * ratio - to[0], (scroll[1] + from[1]) * ratio - to[1]];
}

import type { GlyphRun } from '../text/textLayout.ts';
import type { Box, Matrix } from './geometry.ts';

/** `#rrggbb` with an opacity from 0 to 1. */
interface Paint {
  color: string;
  opacity?: number;
}

export type PathStep =
  | readonly ['move', number, number]
  | readonly ['line', number, number]
  | readonly ['curve', number, number, number, number, number, number]
  | readonly ['close'];

export interface PathShape {
  kind: 'path';
  steps: readonly PathStep[];
  fill?: Paint;
  stroke?: Paint & { width: number };
  /** Darkens the content below, as a highlighter does. */
  multiplies?: boolean;
}

export interface TextShape {
  kind: 'text';
  runs: readonly GlyphRun[];
  paint: Paint;
}

/** A shape to draw. The matrix maps its coordinates to the page. */
export type Shape = (PathShape | TextShape) & { matrix: Matrix };

// Distance of a quarter circle's control points from its ends, in radii.
const roundness = 0.5523;

export function roundedRectangle({ left, bottom, right, top }: Box, radius: number): PathStep[] {
  const r = Math.min(radius, (right - left) / 2, (top - bottom) / 2);
  const k = r * (1 - roundness);
  return [
    ['move', left + r, bottom],
    ['line', right - r, bottom],
    ['curve', right - k, bottom, right, bottom + k, right, bottom + r],
    ['line', right, top - r],
    ['curve', right, top - k, right - k, top, right - r, top],
    ['line', left + r, top],
    ['curve', left + k, top, left, top - k, left, top - r],
    ['line', left, bottom + r],
    ['curve', left, bottom + k, left + k, bottom, left + r, bottom],
    ['close'],
  ];
}

export const rectangle = ({ left, bottom, right, top }: Box): PathStep[] => [
  ['move', left, bottom],
  ['line', right, bottom],
  ['line', right, top],
  ['line', left, top],
  ['close'],
];

export const circle = (x: number, y: number, radius: number): PathStep[] =>
  roundedRectangle({ left: x - radius, bottom: y - radius, right: x + radius, top: y + radius }, radius);

export const line = (...points: readonly (readonly [number, number])[]): PathStep[] =>
  points.map(([x, y], index) => [index === 0 ? 'move' : 'line', x, y]);

/** A smooth curve through all points (Catmull-Rom). */
export function smoothCurve(points: readonly (readonly [number, number])[]): PathStep[] {
  const at = (index: number) => points[Math.max(0, Math.min(points.length - 1, index))] ?? ([0, 0] as const);
  return points.map(([x, y], index): PathStep => {
    if (index === 0) return ['move', x, y];
    const [before, from, after] = [at(index - 2), at(index - 1), at(index + 1)];
    return [
      'curve',
      from[0] + (x - before[0]) / 6,
      from[1] + (y - before[1]) / 6,
      x - (after[0] - from[0]) / 6,
      y - (after[1] - from[1]) / 6,
      x,
      y,
    ];
  });
}

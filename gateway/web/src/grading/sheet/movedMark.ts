import {
  inside,
  type Matrix,
  type Point,
  place,
  type Rect,
  rectInside,
  type VisibleBox,
} from '../../shared/sheet/pageCoordinates.ts';
import type { Annotation } from '../queue/gradingTypes.ts';

/** Moves a mark on the page. It stays within the page and keeps its shape: the edge does not squeeze a stroke. */
export function movedMark(mark: Annotation, [dx, dy]: Point, box: VisibleBox): Annotation {
  const [x, y, width, height] = mark.rect as unknown as Rect;
  const [left, bottom] = rectInside(box, [x + dx, y + dy, width, height]);
  const points = mark.points?.map((point) => {
    const [px, py] = point as unknown as Point;
    return inside(box, [px + left - x, py + bottom - y]);
  });
  return {
    ...mark,
    rect: [left, bottom, width, height] as Annotation['rect'],
    points: (points as unknown as Annotation['points']) ?? null,
  };
}

/** Converts a distance in the view to one on the page, since both may be rotated. */
export function distanceOnPage(fromView: Matrix, [dx, dy]: Point): Point {
  const [x0, y0] = place(fromView, [0, 0]);
  const [x, y] = place(fromView, [dx, dy]);
  return [x - x0, y - y0];
}

const arrows: Record<string, Point> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Returns the displacement of an arrow key in the view; undefined for other keys. */
export function arrowStep(key: string, step: number): Point | undefined {
  const arrow = arrows[key];
  return arrow && [arrow[0] * step, arrow[1] * step];
}

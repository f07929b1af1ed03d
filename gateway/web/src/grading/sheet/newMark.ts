import {
  inside,
  inverse,
  type Matrix,
  type Point,
  placeRect,
  type Rect,
  rectAround,
  rectInside,
  type VisibleBox,
} from '../../shared/sheet/pageCoordinates.ts';
import type { Annotation } from '../queue/gradingTypes.ts';

/** The page to which a mark is added. */
export interface MarkPlace {
  fileId: number;
  page: number;
  box: VisibleBox;
  /** Maps the page to the upright view. */
  toView: Matrix;
}

/** The service's limit per stroke. */
const maxPoints = 2_000;
const sizes = { check: 18, cross: 18, point: 12 };

function newMark({ fileId, page }: MarkPlace, kind: Annotation['kind'], rect: Rect): Annotation {
  const base = {
    id: crypto.randomUUID(),
    file_id: fileId,
    page,
    kind,
    rect: [...rect] as Annotation['rect'],
  };
  return { ...base, points: null, text: null, color: null, item_id: null };
}

/** Creates a check, cross or point centred on a position of the page. */
export function stamp(place: MarkPlace, kind: 'check' | 'cross' | 'point', [x, y]: Point): Annotation {
  const size = sizes[kind];
  return newMark(place, kind, rectInside(place.box, [x - size / 2, y - size / 2, size, size]));
}

/** Creates a pen stroke; undefined for a mere click. */
export function penLine(place: MarkPlace, drawn: readonly Point[]): Annotation | undefined {
  const points = thinned(drawn).map((point) => inside(place.box, point));
  if (points.length < 2) return undefined;
  return { ...newMark(place, 'pen', rectAround(points)), points: points as unknown as Annotation['points'] };
}

export function highlight(place: MarkPlace, rect: Rect): Annotation | undefined {
  const within = rectInside(place.box, rect);
  return within[2] < 2 || within[3] < 2 ? undefined : newMark(place, 'highlight', within);
}

/** Returns the upper left corner of a mark in the upright view. */
export function cornerOf({ rect }: Pick<Annotation, 'rect'>, { toView }: MarkPlace): Point {
  const [x, y] = placeRect(toView, rect as unknown as Rect);
  return [x, y];
}

/** Creates a text whose upper left corner is at `corner` of the upright view. */
export function textMark(
  place: MarkPlace,
  text: string,
  corner: Point,
  size: { width: number; height: number },
): Annotation {
  const rect = placeRect(inverse(place.toView), [...corner, size.width, size.height]);
  return { ...newMark(place, 'text', rectInside(place.box, rect)), text };
}

/** Drops points evenly until the stroke can be saved, and drops duplicates. */
function thinned(points: readonly Point[]): Point[] {
  const distinct = points.filter(([x, y], index) => {
    const before = points[index - 1];
    return !before || Math.hypot(x - before[0], y - before[1]) > 0.05;
  });
  const step = Math.max(1, Math.ceil(distinct.length / maxPoints));
  return distinct
    .filter((_, index) => index % step === 0 || index === distinct.length - 1)
    .slice(0, maxPoints);
}

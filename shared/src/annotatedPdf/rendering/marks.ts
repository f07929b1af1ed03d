import type { GradeSummary, Mark } from '../mark.ts';
import { signedPoints } from '../mark.ts';
import type { FontSet } from '../text/fontSet.ts';
import {
  type Box,
  boxInFrame,
  combine,
  type Frame,
  frameOf,
  type Rotation,
  touches,
  translate,
  within,
} from './geometry.ts';
import { drawBadge, drawNote } from './notes.ts';
import { palette } from './palette.ts';
import { circle, line, type PathStep, rectangle, type Shape, smoothCurve } from './shapes.ts';

/** The position and rotation of a page. */
export interface PageGeometry {
  media: Box;
  /** The visible area of the page. */
  visible: Box;
  rotation: Rotation;
}

const penWidth = 1.8;
const highlightOpacity = 0.45;
/** Sizes of marks whose rectangle is a single point. */
const smallest = { symbol: 18, dot: 9 };

/** Returns the shapes of an annotation, bottom to top. */
export function drawMark(
  fonts: FontSet,
  annotation: Mark,
  page: PageGeometry,
  rubric: GradeSummary['rubric'],
): Shape[] {
  const color = annotation.color ?? palette.accent;
  const box = boxOf(annotation, page);
  const points = pointsOf(annotation, rubric);
  const frame = frameOf(box, page.rotation);
  const text = annotation.text?.trim() ? annotation.text : undefined;
  // The note and badge of a mark outside the CropBox stay outside, so they are also hidden.
  const room = boxInFrame(touches(box, page.visible) ? page.visible : page.media, frame);
  const shapes = drawKind(annotation, box, frame, page, color);
  // A point mark with points is drawn as its badge only.
  if (annotation.kind === 'point' && points !== undefined) shapes.length = 0;
  const badge =
    points === undefined ? undefined : drawBadge(fonts, points, frame, room, color, annotation.kind);
  if (badge) shapes.push(...badge.shapes);
  if (text !== undefined)
    shapes.push(
      ...drawNote(fonts, text, {
        frame,
        room,
        color,
        isItsBox: annotation.kind === 'text',
        beside: badge?.width,
      }),
    );
  return shapes;
}

function drawKind(annotation: Mark, box: Box, frame: Frame, { media }: PageGeometry, color: string): Shape[] {
  const { kind, points } = annotation;
  switch (kind) {
    case 'pen':
      if (!points?.length) return [];
      return [
        {
          kind: 'path',
          steps: smoothCurve(points.map(([x, y]) => [x + media.left, y + media.bottom] as const)),
          stroke: { color, width: penWidth },
          matrix: translate(0, 0),
        },
      ];
    case 'highlight':
      return [
        {
          kind: 'path',
          steps: rectangle(box),
          fill: { color: annotation.color ?? palette.highlighter, opacity: highlightOpacity },
          multiplies: true,
          matrix: translate(0, 0),
        },
      ];
    case 'check':
      return [symbol([line([0.06, 0.5], [0.36, 0.16], [0.94, 0.86])], frame, color)];
    case 'cross':
      return [symbol([line([0.14, 0.14], [0.86, 0.86]), line([0.14, 0.86], [0.86, 0.14])], frame, color)];
    case 'point': {
      const size = Math.max(Math.min(frame.width, frame.height), smallest.dot);
      const steps = circle(frame.width / 2, frame.height / 2, size / 2);
      return [{ kind: 'path', steps, fill: { color, opacity: 0.9 }, matrix: frame.toPage }];
    }
    case 'text':
      return [];
  }
}

/** Scales strokes from the unit square to the frame, centred and as large as fits. */
function symbol(strokes: PathStep[][], { width, height, toPage }: Frame, color: string): Shape {
  const size = Math.min(width, height) >= 4 ? Math.min(width, height) : smallest.symbol;
  const corner = translate((width - size) / 2, (height - size) / 2);
  return {
    kind: 'path',
    steps: strokes.flat(),
    stroke: { color, width: within(0.13, 1 / size, 4 / size) },
    matrix: combine(combine(toPage, corner), [size, 0, 0, size, 0, 0]),
  };
}

function boxOf({ rect: [x, y, width, height] }: Mark, { media }: PageGeometry): Box {
  const [left, bottom] = [x + media.left, y + media.bottom];
  return { left, bottom, right: left + width, top: bottom + height };
}

function pointsOf({ itemId: id }: Mark, rubric: GradeSummary['rubric']): string | undefined {
  if (id === undefined || id === null || !rubric) return undefined;
  const item = rubric.lines.find((each) => each.id === id);
  return item && signedPoints(item.points, rubric.mode);
}

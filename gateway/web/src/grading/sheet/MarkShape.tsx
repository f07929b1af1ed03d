import { getStroke } from 'perfect-freehand';
import { type Matrix, type Point, place, placeRect } from '../../shared/sheet/pageCoordinates.ts';
import type { Annotation } from '../queue/gradingTypes.ts';

/** Returns the outline of a freehand stroke as an SVG path. */
export function strokePath(points: readonly Point[]): string {
  const outline = getStroke(points as [number, number][], {
    size: 2.6,
    thinning: 0.2,
    smoothing: 0.5,
    streamline: 0.3,
  });
  const [first, ...rest] = outline;
  if (!first) return '';
  const to = ([x = 0, y = 0]: readonly number[]) => `${x.toFixed(2)} ${y.toFixed(2)}`;
  return `M${to(first)}${rest.map((point) => `L${to(point)}`).join('')}Z`;
}

/** Renders a mark on the upright page as students see it in the annotated PDF. */
export function MarkShape({
  mark,
  toView,
}: {
  mark: Pick<Annotation, 'kind' | 'rect' | 'points' | 'text' | 'color'>;
  toView: Matrix;
}) {
  const [x, y, width, height] = placeRect(toView, mark.rect as unknown as [number, number, number, number]);
  const color = mark.color ?? undefined;
  switch (mark.kind) {
    case 'pen': {
      const points = (mark.points ?? []).map((point) => place(toView, point as unknown as Point));
      return <path className="mark-pen" d={strokePath(points)} style={{ fill: color }} />;
    }
    case 'highlight':
      return (
        <rect className="mark-highlight" x={x} y={y} width={width} height={height} style={{ fill: color }} />
      );
    case 'check':
    case 'cross':
      return <CheckOrCross kind={mark.kind} rect={[x, y, width, height]} color={color} />;
    case 'point': {
      const radius = Math.max(Math.min(width, height), 9) / 2;
      return (
        <circle
          className="mark-point"
          cx={x + width / 2}
          cy={y + height / 2}
          r={radius}
          style={{ fill: color }}
        />
      );
    }
    case 'text':
      return (
        <foreignObject
          x={x}
          y={y}
          width={Math.max(width, 20)}
          height={Math.max(height, 12)}
          className="mark-text-place"
        >
          <div className="mark-text written" style={{ color }}>
            {mark.text}
          </div>
        </foreignObject>
      );
  }
}

function CheckOrCross({
  kind,
  rect,
  color,
}: {
  kind: 'check' | 'cross';
  rect: readonly [number, number, number, number];
  color: string | undefined;
}) {
  const [x, y, width, height] = rect;
  const size = Math.min(width, height) >= 4 ? Math.min(width, height) : 18;
  const at = (left: number, top: number) =>
    `${x + (width - size) / 2 + left * size} ${y + (height - size) / 2 + top * size}`;
  const d =
    kind === 'check'
      ? `M${at(0.06, 0.5)}L${at(0.36, 0.84)}L${at(0.94, 0.14)}`
      : `M${at(0.14, 0.14)}L${at(0.86, 0.86)}M${at(0.14, 0.86)}L${at(0.86, 0.14)}`;
  return <path className="mark-symbol" d={d} style={{ stroke: color }} strokeWidth={size * 0.13} />;
}

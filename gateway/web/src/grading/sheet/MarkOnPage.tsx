import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { type Matrix, type Point, placeRect, type Rect } from '../../shared/sheet/pageCoordinates.ts';
import type { Annotation } from '../queue/gradingTypes.ts';
import { MarkShape } from './MarkShape.tsx';
import type { MarkChange } from './markHistory.ts';
import { arrowStep, distanceOnPage, movedMark } from './movedMark.ts';
import type { MarkPlace } from './newMark.ts';
import { englishOf } from './tools.ts';

interface Props {
  mark: Annotation;
  place: MarkPlace;
  fromShown: Matrix;
  isSelected: boolean;
  /** Marks can be selected only while no tool is active. */
  canHold: boolean;
  /** Signed points of the linked rubric item. */
  points: string | undefined;
  pointOf(event: { clientX: number; clientY: number }): Point;
  onSelect(id: string | undefined): void;
  /** Starts editing a text mark. */
  onEdit(id: string): void;
  onChange(change: MarkChange): void;
  onRemoved(): void;
}

/** Shorter drags, in page points, count as a click and do not move the mark. */
const minMove = 2;

/** A mark that can be selected, moved and removed by mouse, touch, pen or keyboard. */
export function MarkOnPage(props: Props) {
  const { mark, place, fromShown, isSelected, canHold, points, pointOf, onSelect, onEdit, onChange } = props;
  const { t } = useTranslation();
  const [drag, setDrag] = useState<{ from: Point; to: Point }>();
  const shift: Point = drag ? [drag.to[0] - drag.from[0], drag.to[1] - drag.from[1]] : [0, 0];
  const isMoved = Math.hypot(...shift) > minMove;
  const shown = isMoved ? movedMark(mark, shift, place.box) : mark;

  function onPointerDown(event: PointerEvent<SVGGElement>): void {
    if (!canHold || event.button !== 0) return;
    event.stopPropagation();
    event.currentTarget.focus({ preventScroll: true });
    onSelect(mark.id);
    // A touch on an unselected mark may be the start of a scroll.
    if (event.pointerType === 'touch' && !isSelected) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = pointOf(event);
    setDrag({ from, to: from });
  }

  function onPointerMove(event: PointerEvent<SVGGElement>): void {
    const to = pointOf(event);
    setDrag((before) => before && { ...before, to });
  }

  function onPointerUp(): void {
    if (isMoved) onChange({ do: 'move', mark: shown });
    setDrag(undefined);
  }

  function onKeyDown(event: KeyboardEvent<SVGGElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = arrowStep(event.key, event.shiftKey ? 20 : 2);
    if (step) onChange({ do: 'move', mark: movedMark(mark, distanceOnPage(fromShown, step), place.box) });
    else if (event.key === 'Delete' || event.key === 'Backspace') {
      onChange({ do: 'remove', id: mark.id });
      props.onRemoved();
    } else if (event.key === 'Enter' && mark.kind === 'text') onEdit(mark.id);
    // With an active tool, Escape belongs to the desk, which deactivates the tool.
    else if (event.key === 'Escape' && canHold) {
      onSelect(undefined);
      props.onRemoved();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: an image that keys can move and remove
    <g
      role="img"
      aria-label={[t(englishOf(mark.kind)), points, mark.text].filter(Boolean).join(': ')}
      aria-description={t(
        mark.kind === 'text'
          ? 'Arrow keys move it, Enter edits it, Delete removes it.'
          : 'Arrow keys move it, Delete removes it.',
      )}
      data-mark={mark.id}
      tabIndex={0}
      className="mark"
      data-selected={isSelected || undefined}
      onFocus={() => canHold && onSelect(mark.id)}
      onDoubleClick={() => canHold && mark.kind === 'text' && onEdit(mark.id)}
      onPointerDown={onPointerDown}
      onPointerMove={drag && onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setDrag(undefined)}
      onKeyDown={onKeyDown}
    >
      {mark.kind !== 'pen' && <HoldArea rect={placeRect(place.toView, rectOf(shown))} />}
      {isSelected && <SelectedFrame rect={placeRect(place.toView, rectOf(shown))} />}
      <MarkShape mark={shown} toView={place.toView} />
      {points !== undefined && <PointsBadge rect={placeRect(place.toView, rectOf(shown))} points={points} />}
    </g>
  );
}

const rectOf = ({ rect }: Annotation) => rect as unknown as Rect;

/** An invisible hit area around a mark: the stroke of a check is too thin for a finger. */
function HoldArea({ rect: [x, y, width, height] }: { rect: Rect }) {
  const [w, h] = [Math.max(width, 18), Math.max(height, 18)];
  return <rect className="mark-hold" x={x + (width - w) / 2} y={y + (height - h) / 2} width={w} height={h} />;
}

/** A frame around a mark, with a margin so that thin marks are easy to press. */
function SelectedFrame({ rect: [x, y, width, height] }: { rect: Rect }) {
  const margin = 5;
  return (
    <rect
      className="mark-selected"
      x={x - margin}
      y={y - margin}
      width={width + 2 * margin}
      height={height + 2 * margin}
      rx={3}
    />
  );
}

/** Shows the points of the rubric item beside its mark, as in the annotated PDF. */
function PointsBadge({ rect: [x, y, width], points }: { rect: Rect; points: string }) {
  const badgeWidth = points.length * 5.4 + 8;
  return (
    <g transform={`translate(${x + width + 4} ${y})`}>
      <rect className="mark-badge" width={badgeWidth} height={13} rx={6.5} />
      <text className="mark-badge-text" x={badgeWidth / 2} y={9.6} textAnchor="middle">
        {points}
      </text>
    </g>
  );
}

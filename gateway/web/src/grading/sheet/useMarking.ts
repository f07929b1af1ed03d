import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react';
import {
  type Matrix,
  type Point,
  place as placePoint,
  rectBetween,
} from '../../shared/sheet/pageCoordinates.ts';
import type { Annotation } from '../queue/gradingTypes.ts';
import { chosenColor } from './chosenColors.ts';
import type { MarkChange } from './markHistory.ts';
import { arrowStep } from './movedMark.ts';
import { highlight, type MarkPlace, penLine, stamp } from './newMark.ts';
import type { Tool } from './tools.ts';
import { draws } from './touchGestures.ts';

interface Marking {
  layer: RefObject<SVGSVGElement | null>;
  place: MarkPlace;
  /** The size of the displayed page in points. `fromShown` maps it back to the page. */
  shown: { width: number; height: number };
  fromShown: Matrix;
  marks: Annotation[];
  tool: Tool | undefined;
  /** Starts editing a text mark. */
  onEdit(id: string): void;
  onChange(change: MarkChange): void;
}

/** Whether a pen has touched the screen since the page was loaded. */
export const pen = { isUsed: false };

/** A tap moves less than this, in CSS pixels. */
const tapReach = 10;

/** Handles pointers and keys that add marks to a page with a tool. */
export function useMarking({ layer, place, shown, fromShown, marks, tool, onEdit, onChange }: Marking) {
  const [line, setLine] = useState<Point[]>([]);
  const [corner, setCorner] = useState<Point>();
  const [cursor, setCursor] = useState<Point>();
  const [textAt, setTextAt] = useState<Point>();
  const fingers = useRef(new Map<number, Point>());
  const tap = useRef<number>(undefined);

  /** Returns the position of a pointer on the page. */
  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const bounds = layer.current?.getBoundingClientRect();
    if (!bounds) return [0, 0];
    const x = ((clientX - bounds.left) / bounds.width) * shown.width;
    const y = ((clientY - bounds.top) / bounds.height) * shown.height;
    return placePoint(fromShown, [x, y]);
  };

  const add = (mark: Annotation | undefined) =>
    mark && onChange({ do: 'add', mark: { ...mark, color: chosenColor(mark.kind).color } });

  /** Applies the tool for a click, a tap or the Enter key. */
  function actAt(point: Point): void {
    if (tool === 'check' || tool === 'cross' || tool === 'point') add(stamp(place, tool, point));
    else if (tool === 'text') {
      const text = marksAt(point, 0).findLast(({ kind }) => kind === 'text');
      if (text) onEdit(text.id);
      else setTextAt(point);
    } else if (tool === 'eraser') erase(point);
    else if (tool === 'highlight') {
      if (corner) add(highlight(place, rectBetween(corner, point)));
      setCorner(corner ? undefined : point);
    }
  }

  function marksAt([x, y]: Point, reach: number): Annotation[] {
    return marks.filter(
      ({ rect: [left = 0, bottom = 0, width = 0, height = 0] }) =>
        x >= left - reach && x <= left + width + reach && y >= bottom - reach && y <= bottom + height + reach,
    );
  }

  function erase(point: Point): void {
    const hit = marksAt(point, 4).at(-1);
    if (hit) onChange({ do: 'remove', id: hit.id });
  }

  function onPointerDown(event: PointerEvent<SVGSVGElement>): void {
    const { pointerType, pointerId, clientX, clientY } = event;
    if (pointerType === 'pen') pen.isUsed = true;
    if (!tool || event.button !== 0 || textAt) return;
    if (pointerType === 'touch') {
      fingers.current.set(pointerId, [clientX, clientY]);
      tap.current = fingers.current.size === 1 ? pointerId : undefined;
      // Two fingers zoom, so the stroke that the first one has started is discarded.
      if (fingers.current.size > 1) {
        setLine([]);
        return;
      }
    }
    if (draws(pointerType, tool, pen.isUsed)) {
      event.preventDefault();
      event.currentTarget.focus({ preventScroll: true });
      event.currentTarget.setPointerCapture(pointerId);
      const point = pointOf(event);
      if (tool === 'pen') setLine([point]);
      else if (tool === 'highlight') setLine([point, point]);
      else erase(point);
    } else if (pointerType !== 'touch') {
      event.preventDefault();
      event.currentTarget.focus({ preventScroll: true });
      actAt(pointOf(event));
    }
  }

  function onPointerMove(event: PointerEvent<SVGSVGElement>): void {
    if (fingers.current.size > 1) return;
    if (tool === 'eraser' && event.buttons === 1 && draws(event.pointerType, tool, pen.isUsed))
      erase(pointOf(event));
    if (line.length === 0) return;
    const moves = event.nativeEvent.getCoalescedEvents?.() ?? [];
    const points = (moves.length > 0 ? moves : [event.nativeEvent]).map(pointOf);
    setLine((before) =>
      tool === 'pen' ? [...before, ...points] : [before[0] ?? [0, 0], points.at(-1) ?? [0, 0]],
    );
  }

  function onPointerUp(event: PointerEvent<SVGSVGElement>): void {
    const { pointerId, clientX, clientY } = event;
    const began = fingers.current.get(pointerId);
    fingers.current.delete(pointerId);
    const isTap = tap.current === pointerId && began && isNear(began, [clientX, clientY]);
    const [first, last] = [line[0], line.at(-1)];
    setLine([]);
    if (first && last)
      add(tool === 'pen' ? penLine(place, line) : highlight(place, rectBetween(first, last)));
    else if (isTap && !draws('touch', tool, false)) actAt(pointOf(event));
  }

  function onPointerCancel({ pointerId }: PointerEvent<SVGSVGElement>): void {
    fingers.current.delete(pointerId);
    setLine([]);
  }

  /** With an active tool, the arrow keys move a crosshair over the page, and Enter applies the tool there. */
  function onKeyDown(event: KeyboardEvent<SVGSVGElement>): void {
    if (!tool || event.target !== event.currentTarget || event.ctrlKey || event.metaKey) return;
    const at: Point = cursor ?? [shown.width / 2, shown.height / 2];
    const step = arrowStep(event.key, event.shiftKey ? 40 : 10);
    if (step) {
      const within = (value: number, most: number) => Math.min(Math.max(value, 0), most);
      setCursor([within(at[0] + step[0], shown.width), within(at[1] + step[1], shown.height)]);
    } else if (event.key === 'Enter') actAt(placePoint(fromShown, at));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return {
    line,
    cursor: tool ? cursor : undefined,
    textAt,
    endText: () => setTextAt(undefined),
    pointOf,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onKeyDown },
  };
}

const isNear = ([x1, y1]: Point, [x2, y2]: Point) => Math.hypot(x2 - x1, y2 - y1) <= tapReach;

import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { useWords } from '../../shared/language/text.ts';
import {
  inverse,
  type Point,
  pageToView,
  place as placePoint,
  placeRect,
  rectBetween,
  sizeOf,
  svgMatrix,
  turned,
  turnView,
} from '../../shared/sheet/pageCoordinates.ts';
import type { SheetPageInfo, View } from '../../shared/sheet/sheetDocument.ts';
import type { Annotation } from '../queue/gradingTypes.ts';
import { MarkShape, strokePath } from './MarkShape.tsx';
import type { MarkChange } from './markHistory.ts';
import { highlight, type MarkPlace, penLine, stamp, textMark } from './newMark.ts';
import { TextEntry } from './TextEntry.tsx';
import { type Tool, toolbarTools } from './tools.ts';

interface Props {
  info: SheetPageInfo;
  view: View;
  fileId: number;
  page: number;
  marks: Annotation[];
  tool: Tool | undefined;
  onChange(change: MarkChange): void;
}

const englishOf = (kind: Annotation['kind']) =>
  toolbarTools.find(({ tool }) => tool === kind)?.english ?? kind;

/** The marks of one page, and what is being drawn on it. Everything is in the coordinates of the page. */
export function MarkLayer({ info, view, fileId, page, marks, tool, onChange }: Props) {
  const { t } = useWords();
  const { box, turn } = info;
  const layer = useRef<SVGSVGElement>(null);
  const [line, setLine] = useState<Point[]>([]);
  const [corner, setCorner] = useState<Point>();
  const [cursor, setCursor] = useState<Point>();
  const [textAt, setTextAt] = useState<Point>();

  const place: MarkPlace = useMemo(
    () => ({ fileId, page, box, toView: pageToView(box, turn) }),
    [fileId, page, box, turn],
  );
  const upright = sizeOf(box, turn);
  const shown = sizeOf(box, turned(turn, view.turn));
  const fromShown = inverse(pageToView(box, turned(turn, view.turn)));

  /** Where on the page a pointer is. */
  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const bounds = layer.current?.getBoundingClientRect();
    if (!bounds) return [0, 0];
    const x = ((clientX - bounds.left) / bounds.width) * shown.width;
    const y = ((clientY - bounds.top) / bounds.height) * shown.height;
    return placePoint(fromShown, [x, y]);
  };

  const add = (mark: Annotation | undefined) => mark && onChange({ do: 'add', mark });

  /** What a click or the Enter key does. */
  function actAt(point: Point): void {
    if (tool === 'check' || tool === 'cross' || tool === 'point') add(stamp(place, tool, point));
    else if (tool === 'text') setTextAt(point);
    else if (tool === 'eraser') erase(point);
    else if (tool === 'highlight') {
      if (corner) add(highlight(place, rectBetween(corner, point)));
      setCorner(corner ? undefined : point);
    }
  }

  function erase([x, y]: Point): void {
    const reach = 4;
    const hit = marks.findLast(
      ({ rect: [left = 0, bottom = 0, width = 0, height = 0] }) =>
        x >= left - reach && x <= left + width + reach && y >= bottom - reach && y <= bottom + height + reach,
    );
    if (hit) onChange({ do: 'remove', id: hit.id });
  }

  function onPointerDown(event: PointerEvent<SVGSVGElement>): void {
    if (!tool || event.button !== 0 || textAt) return;
    event.preventDefault();
    event.currentTarget.focus({ preventScroll: true });
    const point = pointOf(event);
    if (tool === 'pen' || tool === 'highlight') event.currentTarget.setPointerCapture(event.pointerId);
    if (tool === 'pen') setLine([point]);
    else if (tool === 'highlight') setLine([point, point]);
    else actAt(point);
  }

  function onPointerMove(event: PointerEvent<SVGSVGElement>): void {
    if (tool === 'eraser' && event.buttons === 1) erase(pointOf(event));
    if (line.length === 0) return;
    const moves = event.nativeEvent.getCoalescedEvents?.() ?? [];
    const points = (moves.length > 0 ? moves : [event.nativeEvent]).map(pointOf);
    setLine((before) =>
      tool === 'pen' ? [...before, ...points] : [before[0] ?? [0, 0], points.at(-1) ?? [0, 0]],
    );
  }

  function onPointerUp(): void {
    const [first, last] = [line[0], line.at(-1)];
    setLine([]);
    if (!first || !last) return;
    add(tool === 'pen' ? penLine(place, line) : highlight(place, rectBetween(first, last)));
  }

  /** With a tool, the arrow keys move a cross over the page, and Enter acts there. */
  function onKeyDown(event: KeyboardEvent<SVGSVGElement>): void {
    if (!tool || event.target !== event.currentTarget || event.ctrlKey || event.metaKey) return;
    const moves: Record<string, Point> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const middle: Point = [shown.width / 2, shown.height / 2];
    const at = cursor ?? middle;
    const move = moves[event.key];
    if (move) {
      const step = event.shiftKey ? 40 : 10;
      const within = (value: number, most: number) => Math.min(Math.max(value, 0), most);
      setCursor([within(at[0] + move[0] * step, shown.width), within(at[1] + move[1] * step, shown.height)]);
    } else if (event.key === 'Enter') actAt(placePoint(fromShown, at));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const preview =
    line.length > 1 && tool === 'pen' ? strokePath(line.map((point) => placePoint(place.toView, point))) : '';
  const area =
    line.length > 1 && tool === 'highlight'
      ? placeRect(place.toView, rectBetween(line[0] ?? [0, 0], line[1] ?? [0, 0]))
      : undefined;

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: no other element groups what is drawn */}
      <svg
        ref={layer}
        className="mark-layer"
        data-tool={tool}
        viewBox={`0 0 ${shown.width} ${shown.height}`}
        role="group"
        aria-label={t('Marks on page {page}', { page })}
        tabIndex={tool ? 0 : undefined}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => setLine([])}
        onKeyDown={onKeyDown}
      >
        <g transform={svgMatrix(turnView(upright, view.turn))}>
          {marks.map((mark) => (
            // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a picture, which a key erases
            <g
              key={mark.id}
              role="img"
              aria-label={[t(englishOf(mark.kind)), mark.text].filter(Boolean).join(': ')}
              tabIndex={0}
              className="mark"
              onKeyDown={(event) => {
                if (event.key !== 'Delete' && event.key !== 'Backspace') return;
                event.preventDefault();
                onChange({ do: 'remove', id: mark.id });
                layer.current?.focus();
              }}
            >
              <MarkShape mark={mark} toView={place.toView} />
            </g>
          ))}
          {preview !== '' && <path className="mark-pen" d={preview} />}
          {area && (
            <rect className="mark-highlight" x={area[0]} y={area[1]} width={area[2]} height={area[3]} />
          )}
        </g>
        {tool && cursor && (
          <path
            className="mark-cursor"
            d={`M${cursor[0] - 12} ${cursor[1]}h24M${cursor[0]} ${cursor[1] - 12}v24`}
          />
        )}
      </svg>
      {textAt && (
        <TextEntry
          at={placePoint(pageToView(box, turned(turn, view.turn)), textAt)}
          scale={view.scale}
          onDone={(text, size) => {
            setTextAt(undefined);
            if (text !== '') add(textMark(place, text, placePoint(place.toView, textAt), size));
            layer.current?.focus({ preventScroll: true });
          }}
        />
      )}
    </>
  );
}

import { useMemo, useRef } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import {
  inverse,
  type Matrix,
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
import { chosenColor, useChosenColor } from './chosenColors.ts';
import { EditedText } from './EditedText.tsx';
import { MarkOnPage } from './MarkOnPage.tsx';
import { strokePath } from './MarkShape.tsx';
import type { MarkChange } from './markHistory.ts';
import { type MarkPlace, textMark } from './newMark.ts';
import { TextEntry } from './TextEntry.tsx';
import type { Tool } from './tools.ts';
import { useMarking } from './useMarking.ts';

interface Props {
  info: SheetPageInfo;
  view: View;
  fileId: number;
  page: number;
  marks: Annotation[];
  tool: Tool | undefined;
  /** The id of the selected mark. */
  selected: string | undefined;
  /** The points of rubric items by item id, for marks linked to one. */
  itemPoints: ReadonlyMap<number, string>;
  /** The id of the text mark that is being edited. */
  edited: string | undefined;
  onTool(tool: Tool | undefined): void;
  onSelect(id: string | undefined): void;
  onEdit(id: string | undefined): void;
  onChange(change: MarkChange): void;
}

/** Shows the marks of one page and the mark being drawn, all in page coordinates. */
export function MarkLayer(props: Props) {
  const { info, view, fileId, page, marks, tool, selected, edited, itemPoints } = props;
  const { onTool, onSelect, onEdit, onChange } = props;
  const { t } = useTranslation();
  const { box, turn } = info;
  const layer = useRef<SVGSVGElement>(null);
  const place: MarkPlace = useMemo(
    () => ({ fileId, page, box, toView: pageToView(box, turn) }),
    [fileId, page, box, turn],
  );
  const toShown = pageToView(box, turned(turn, view.turn));
  const fromShown = inverse(toShown);
  const shown = sizeOf(box, turned(turn, view.turn));
  const marking = useMarking({ layer, place, shown, fromShown, marks, tool, onEdit, onChange });
  const { cursor, textAt } = marking;
  const editedMark = marks.find(({ id, kind }) => id === edited && kind === 'text');

  const focusPages = () =>
    layer.current?.closest<HTMLElement>('.sheet-scroller')?.focus({ preventScroll: true });
  /** Returns the focus from the text field to the mark or page where editing started. */
  const focusMark = (id: string) =>
    requestAnimationFrame(() => {
      // With an active tool, the page handles keys and marks cannot be selected.
      const mark = tool ? layer.current : layer.current?.querySelector<SVGElement>(`[data-mark="${id}"]`);
      if (mark) mark.focus({ preventScroll: true });
      else focusPages();
    });

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: no other element can group drawings */}
      <svg
        ref={layer}
        className="mark-layer"
        data-tool={tool}
        viewBox={`0 0 ${shown.width} ${shown.height}`}
        role="group"
        aria-label={t('Marks on page {page}', { page })}
        tabIndex={tool ? 0 : undefined}
        {...marking.handlers}
      >
        <g transform={svgMatrix(turnView(sizeOf(box, turn), view.turn))}>
          {marks.map((mark) =>
            mark === editedMark ? null : (
              <MarkOnPage
                key={mark.id}
                mark={mark}
                place={place}
                fromShown={fromShown}
                isSelected={selected === mark.id}
                canHold={tool === undefined}
                points={mark.item_id === null ? undefined : itemPoints.get(mark.item_id)}
                pointOf={marking.pointOf}
                onSelect={onSelect}
                onEdit={onEdit}
                onChange={onChange}
                // Removing the focused mark must not lose the focus.
                onRemoved={focusPages}
              />
            ),
          )}
          <Drawing line={marking.line} tool={tool} toView={place.toView} />
        </g>
        {cursor && (
          <path
            className="mark-cursor"
            d={`M${cursor[0] - 12} ${cursor[1]}h24M${cursor[0]} ${cursor[1] - 12}v24`}
          />
        )}
      </svg>
      {textAt && (
        <TextEntry
          at={placePoint(toShown, textAt)}
          scale={view.scale}
          color={chosenColor('text').color}
          onDone={(text, size, key) => {
            marking.endText();
            const corner = placePoint(place.toView, textAt);
            const { color } = chosenColor('text');
            if (text !== '') onChange({ do: 'add', mark: { ...textMark(place, text, corner, size), color } });
            if (key === 'Escape') {
              onTool(undefined);
              focusPages();
            } else if (key) layer.current?.focus({ preventScroll: true });
          }}
        />
      )}
      {editedMark && (
        <EditedText
          key={editedMark.id}
          mark={editedMark}
          scale={view.scale}
          {...{ place, toShown, onChange }}
          onDone={(isByKey) => {
            onEdit(undefined);
            if (isByKey) focusMark(editedMark.id);
          }}
        />
      )}
    </>
  );
}

/** The stroke or rectangle being drawn, before it becomes a mark. */
function Drawing({ line, tool, toView }: { line: Point[]; tool: Tool | undefined; toView: Matrix }) {
  const { color } = useChosenColor(tool === 'highlight' ? 'highlight' : 'pen');
  const style = { fill: color ?? undefined };
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last || line.length < 2) return null;
  if (tool === 'pen')
    return (
      <path
        className="mark-pen"
        d={strokePath(line.map((point) => placePoint(toView, point)))}
        style={style}
      />
    );
  const [x, y, width, height] = placeRect(toView, rectBetween(first, last));
  return <rect className="mark-highlight" x={x} y={y} width={width} height={height} style={style} />;
}

import {
  memo,
  type PointerEvent,
  type Ref,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { sizeOf, type Turn, turned } from '../../shared/sheet/pageCoordinates.ts';
import type { View } from '../../shared/sheet/sheetDocument.ts';
import { EmptyState, Loading } from '../../shared/ui/states.tsx';
import type { AnswerPage, GradingFile, Rubric, RubricItem } from '../queue/gradingTypes.ts';
import { FilePages } from './FilePages.tsx';
import { itemPointsOf } from './itemPoints.ts';
import type { MarkChange, MarkHistory } from './markHistory.ts';
import { SelectedMark } from './SelectedMark.tsx';
import { SheetToolbar } from './SheetToolbar.tsx';
import { ToolColors } from './ToolColors.tsx';
import './sheet.css';
import type { Tool } from './tools.ts';
import { pageNumber, useOpenFiles } from './useOpenFiles.ts';
import { type PaneSize, usePaneSize } from './usePaneSize.ts';
import { useSheetTouch } from './useSheetTouch.ts';
import { scaleOf, type Zoom, zoomed } from './zoom.ts';

export interface SheetHandle {
  goTo(step: 1 | -1): void;
  zoom(by: 'in' | 'out' | 'fit' | 'page'): void;
}

interface Props {
  ref: Ref<SheetHandle>;
  files: GradingFile[];
  /** The page that is seen first; the first page if undefined. */
  start: AnswerPage | undefined;
  rubric: Rubric | null;
  history: MarkHistory;
  onChange(change: MarkChange): void;
  tool: Tool | undefined;
  onTool(tool: Tool | undefined): void;
  /** Must be referentially stable from sheet to sheet. */
  zoom: Zoom;
  onZoom(zoom: Zoom): void;
  /** Reports the space available to a page, for rendering the next sheet ahead. */
  onPaneSize(paneSize: PaneSize): void;
}

const noItems: RubricItem[] = [];

/** Shows the pages of all files of a submission in one column, with the marking tools. */
export const AnswerSheet = memo(function AnswerSheet(props: Props) {
  const { ref, files, start, rubric, history, onChange, tool, onTool, zoom, onZoom, onPaneSize } = props;
  const { t } = useTranslation();
  const opened = useOpenFiles(files);
  const scroller = useRef<HTMLDivElement>(null);
  const paneSize = usePaneSize(scroller, onPaneSize);
  const [turn, setTurn] = useState<Turn>(0);
  const [selected, setSelected] = useState<string>();
  const [edited, setEdited] = useState<string>();
  const first = opened?.find((file) => file.sheet)?.sheet?.info(1);
  const scale = first ? scaleOf(zoom, sizeOf(first.box, turned(first.turn, turn)), paneSize) : 1;
  const view: View = useMemo(() => ({ scale, turn }), [scale, turn]);
  const itemPoints = useMemo(() => itemPointsOf(rubric), [rubric]);
  const held = tool ? undefined : history.present.find(({ id }) => id === selected);

  const startNumber = pageNumber(opened, start);

  useStart(scroller, startNumber, scale);
  useSheetTouch(scroller, scale, onZoom);
  useImperativeHandle(
    ref,
    () => ({
      goTo: (step) => goTo(scroller.current, step),
      zoom: (by) => onZoom(zoomed(scale, by)),
    }),
    [scale, onZoom],
  );
  const letGo = useCallback((event: PointerEvent) => {
    if (!(event.target as Element).closest('.mark')) setSelected(undefined);
  }, []);

  return (
    <section className="answer-sheet" aria-label={t('Answer sheet')}>
      <SheetToolbar
        history={history}
        onChange={onChange}
        tool={tool}
        onTool={onTool}
        zoom={zoom}
        onZoom={(by) => onZoom(zoomed(scale, by))}
        onRotate={() => setTurn((before) => turned(before, 90))}
      />
      {/* biome-ignore-start lint/a11y/useSemanticElements: it is not part of a form */}
      {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: it must be scrollable by keyboard */}
      <div
        className="sheet-scroller"
        ref={scroller}
        tabIndex={0}
        role="group"
        aria-label={t('Pages')}
        onPointerDown={letGo}
      >
        {files.length === 0 ? (
          <EmptyState title={t('There is no file')}>
            <p>{t('It was removed or was never handed in.')}</p>
          </EmptyState>
        ) : !opened ? (
          <Loading />
        ) : (
          opened.map((file) => (
            <FilePages
              key={file.file.id}
              {...{ file, view, tool, onTool, scroller, itemPoints, onChange, startNumber }}
              marks={history.present}
              selected={held?.id}
              edited={edited}
              onSelect={setSelected}
              onEdit={setEdited}
            />
          ))
        )}
      </div>
      {/* biome-ignore-end lint/a11y/useSemanticElements: it is not part of a form */}
      {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: it must be scrollable by keyboard */}
      {tool && tool !== 'eraser' && <ToolColors tool={tool} />}
      {held && held.id !== edited && (
        <SelectedMark
          mark={held}
          items={rubric?.items ?? noItems}
          onEdit={() => setEdited(held.id)}
          onChange={onChange}
        />
      )}
      {files.length > 1 && (
        <p className="sheet-files small quiet">
          {files.map(({ id, name }) => (
            <Button key={id} className="button plain" onPress={() => scrollToFile(scroller.current, id)}>
              <span className="written-line" dir="auto">
                {name}
              </span>
            </Button>
          ))}
        </p>
      )}
    </section>
  );
});

/**
 * Scrolls to the page that is seen first. It stays in place while pages change their size, until the grader scrolls.
 */
function useStart(scroller: { current: HTMLElement | null }, number: number, scale: number): void {
  const placedAt = useRef<number>(undefined);
  // A desk that was hidden starts again.
  useLayoutEffect(
    () => () => {
      placedAt.current = undefined;
    },
    [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scale moves the pages
  useLayoutEffect(() => {
    const element = scroller.current;
    const page = element?.querySelector<HTMLElement>(`[data-page="${number}"]`);
    if (!element || !page || number === 1) return;
    if (placedAt.current !== undefined && Math.abs(element.scrollTop - placedAt.current) > 1) return;
    element.scrollTop = page.offsetTop;
    placedAt.current = element.scrollTop;
  }, [scroller, number, scale]);
}

function goTo(scroller: HTMLElement | null, step: 1 | -1): void {
  if (!scroller) return;
  const pages = [...scroller.querySelectorAll<HTMLElement>('.sheet-page')];
  const top = scroller.scrollTop + 24;
  const shown = pages.findLastIndex((page) => page.offsetTop <= top);
  pages[Math.max(0, shown + step)]?.scrollIntoView({ block: 'start' });
}

const scrollToFile = (scroller: HTMLElement | null, id: number) =>
  scroller?.querySelector(`[data-file="${id}"]`)?.scrollIntoView({ block: 'start' });

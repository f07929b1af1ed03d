import { type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { useWords } from '../../shared/language/text.ts';
import { type Turn, turned } from '../../shared/sheet/pageCoordinates.ts';
import { fitScale, type SheetDocument, type View } from '../../shared/sheet/sheetDocument.ts';
import { EmptyState, ErrorState, Loading } from '../../shared/ui/states.tsx';
import type { Annotation, GradingFile } from '../queue/gradingTypes.ts';
import type { MarkChange, MarkHistory } from './markHistory.ts';
import { openSheets } from './openSheets.ts';
import { SheetPage } from './SheetPage.tsx';
import { SheetToolbar } from './SheetToolbar.tsx';
import './sheet.css';
import type { Tool } from './tools.ts';
import { type Zoom, zoomed } from './zoom.ts';

export interface SheetHandle {
  goTo(step: 1 | -1): void;
}

interface Props {
  ref: Ref<SheetHandle>;
  files: GradingFile[];
  history: MarkHistory;
  onChange(change: MarkChange): void;
  tool: Tool | undefined;
  onTool(tool: Tool | undefined): void;
  /** Stays the same from sheet to sheet. */
  zoom: Zoom;
  onZoom(zoom: Zoom): void;
  /** The width that pages have, for drawing the next sheet ahead. */
  onWidth(width: number): void;
}

const noMarks: Annotation[] = [];

/** The pages of a submission's files, one below the other, and the tools to mark them. */
export function AnswerSheet({ ref, files, history, onChange, tool, onTool, zoom, onZoom, onWidth }: Props) {
  const { t } = useWords();
  const { sheets, error, retry } = useOpenSheets(files);
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller, onWidth);
  const [turn, setTurn] = useState<Turn>(0);
  const first = sheets?.[0];
  const fit = first ? fitScale(first.info(1), turn, width) : 1;
  const scale = zoom === 'fit' ? fit : zoom;
  const view: View = useMemo(() => ({ scale, turn }), [scale, turn]);

  const goTo = useCallback((step: 1 | -1) => {
    const element = scroller.current;
    if (!element) return;
    const pages = [...element.querySelectorAll<HTMLElement>('.sheet-page')];
    const top = element.scrollTop + 24;
    const shown = pages.findLastIndex((page) => page.offsetTop <= top);
    pages[Math.max(0, shown + step)]?.scrollIntoView({ block: 'start' });
  }, []);
  useImperativeHandle(ref, () => ({ goTo }), [goTo]);

  const byPage = useMemo(
    () => Map.groupBy(history.present, ({ file_id, page }) => `${file_id} ${page}`),
    [history.present],
  );

  return (
    <section className="answer-sheet" aria-label={t('Answer sheet')}>
      <SheetToolbar
        history={history}
        onChange={onChange}
        tool={tool}
        onTool={onTool}
        onZoom={(by) => onZoom(zoomed(zoom, fit, by))}
        onRotate={() => setTurn((before) => turned(before, 90))}
      />
      {/* biome-ignore-start lint/a11y/useSemanticElements: it is no part of a form */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys */}
      <div className="sheet-scroller" ref={scroller} tabIndex={0} role="group" aria-label={t('Pages')}>
        {files.length === 0 ? (
          <EmptyState title={t('There is no file')}>
            <p>{t('It was removed, or never handed in.')}</p>
          </EmptyState>
        ) : error ? (
          <ErrorState error={error} onRetry={retry} />
        ) : !sheets ? (
          <Loading />
        ) : (
          numbered(sheets).map(({ sheet, file, page, number }) => {
            const fileId = files[file]?.id ?? 0;
            return (
              <SheetPage
                key={`${fileId} ${page}`}
                sheet={sheet}
                page={page}
                number={number}
                fileId={fileId}
                view={view}
                marks={byPage.get(`${fileId} ${page}`) ?? noMarks}
                tool={tool}
                scroller={scroller}
                onChange={onChange}
              />
            );
          })
        )}
      </div>
      {/* biome-ignore-end lint/a11y/useSemanticElements: it is no part of a form */}
      {files.length > 1 && (
        <p className="sheet-files small quiet">
          {files.map(({ id, name }, index) => (
            <Button
              key={id}
              className="button plain"
              onPress={() => scrollToFile(scroller.current, sheets, index)}
            >
              <span className="written-line">{name}</span>
            </Button>
          ))}
        </p>
      )}
    </section>
  );
}

/** The pages of all files. */
function numbered(sheets: SheetDocument[]) {
  let number = 0;
  return sheets.flatMap((sheet, file) =>
    Array.from({ length: sheet.pageCount }, (_, index) => {
      number += 1;
      return { sheet, file, page: index + 1, number };
    }),
  );
}

function scrollToFile(
  scroller: HTMLElement | null,
  sheets: SheetDocument[] | undefined,
  index: number,
): void {
  const before = sheets?.slice(0, index).reduce((sum, { pageCount }) => sum + pageCount, 0) ?? 0;
  scroller?.querySelector(`[data-page="${before + 1}"]`)?.scrollIntoView({ block: 'start' });
}

/** The opened files; at once when they were prepared. */
function useOpenSheets(files: GradingFile[]) {
  const key = files.map(({ id, sha256 }) => `${id} ${sha256}`).join();
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{ key: string; sheets?: SheetDocument[]; error?: unknown }>(() =>
    prepared(files, key),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes when the files do; their addresses change with each answer
  useEffect(() => {
    const ready = prepared(files, key);
    setState((before) => (before.key === key && before.sheets ? before : ready));
    if (ready.sheets) return;
    let isCurrent = true;
    Promise.all(files.map((file) => openSheets.open(file))).then(
      (sheets) => isCurrent && setState({ key, sheets }),
      (error) => isCurrent && setState({ key, error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, attempt]);
  // Never the pages of other files, not even for one frame.
  const current = state.key === key ? state : prepared(files, key);
  return { ...current, retry: () => setAttempt((before) => before + 1) };
}

function prepared(
  files: GradingFile[],
  key: string,
): { key: string; sheets?: SheetDocument[]; error?: unknown } {
  const sheets = files.map((file) => openSheets.opened(file));
  return sheets.every((sheet) => sheet !== undefined) ? { key, sheets } : { key };
}

/** The room for a page. */
function useWidth(scroller: { current: HTMLElement | null }, onWidth: (width: number) => void): number {
  const [width, setWidth] = useState(lastWidth);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      const room = Math.floor(entry?.contentRect.width ?? 0);
      if (room === 0) return;
      lastWidth = room;
      setWidth(room);
      onWidth(room);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, onWidth]);
  return width;
}

// The next sheet begins with the room of the last one: a page is drawn once and does not jump.
let lastWidth = 800;

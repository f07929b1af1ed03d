import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { sizeOf } from '../../shared/sheet/pageCoordinates.ts';
import type { SheetDocument, View } from '../../shared/sheet/sheetDocument.ts';
import { ErrorState, Loading } from '../../shared/ui/states.tsx';
import type { Annotation } from '../queue/gradingTypes.ts';
import type { Region } from '../queue/questionTypes.ts';
import type { MarkChange } from '../sheet/markHistory.ts';
import { SheetPage } from '../sheet/SheetPage.tsx';
import '../sheet/sheet.css';
import { usePaneSize } from '../sheet/usePaneSize.ts';
import { useSheet } from '../sheet/useSheet.ts';
import { scaleOf } from '../sheet/zoom.ts';
import type { QuestionForm } from './outlineForm.ts';
import { RegionLabels } from './RegionLabels.tsx';
import { questionsFile, regionChange, regionMarks } from './regionMarks.ts';

interface Props {
  url: string;
  form: QuestionForm[];
  /** The question whose region is being drawn. */
  drawn: QuestionForm | undefined;
  onRegion(key: string, region: Region | null): void;
  onStop(): void;
}

const noMarks: Annotation[] = [];
const noPoints: ReadonlyMap<number, string> = new Map();
const nothing = () => {};

/** The question PDF with the regions of the questions, which are drawn, moved and removed like marks. */
export function RegionSheet({ url, form, drawn, onRegion, onStop }: Props) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const paneSize = usePaneSize(scroller, nothing);
  const [attempt, setAttempt] = useState(0);
  const { sheet, error } = useMeasuredSheet(url, attempt);
  const [selected, setSelected] = useState<string>();
  const marks = useMemo(() => Map.groupBy(regionMarks(form), ({ page }) => page), [form]);
  const first = sheet?.info(1);
  const scale = first ? scaleOf('fit', sizeOf(first.box, first.turn), paneSize) : 1;
  const view: View = useMemo(() => ({ scale, turn: 0 }), [scale]);
  const key = drawn?.key;

  const onChange = useCallback(
    (change: MarkChange) => {
      const changed = regionChange(change, key);
      if (changed) onRegion(changed.key, changed.region);
      if (change.do === 'add') onStop();
    },
    [key, onRegion, onStop],
  );

  const page = drawn?.region?.page;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves only when drawing starts
  useEffect(() => {
    if (key === undefined) return;
    const start = scroller.current?.querySelector<HTMLElement>(`[data-page="${page ?? 1}"] .mark-layer`);
    start?.closest('.region-sheet')?.scrollIntoView({ block: 'nearest' });
    start?.focus({ preventScroll: page === undefined });
  }, [key]);

  return (
    <section
      className="region-sheet"
      aria-label={t('Question sheet')}
      onKeyDown={({ key: pressed }: KeyboardEvent) => pressed === 'Escape' && drawn && onStop()}
    >
      <p aria-live="polite" className="quiet small">
        {drawn &&
          t(
            'Draw a rectangle around question {label}. By keyboard: the arrow keys move the cross, Enter sets two corners, Escape ends it.',
            { label: drawn.label },
          )}
      </p>
      {/* biome-ignore-start lint/a11y/useSemanticElements: it is not part of a form */}
      {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: it must be scrollable by keyboard */}
      <div
        className="sheet-scroller"
        ref={scroller}
        tabIndex={0}
        role="group"
        aria-label={t('Pages')}
        onPointerDown={({ target }) => !(target as Element).closest('.mark') && setSelected(undefined)}
      >
        {error ? (
          <ErrorState error={error} onRetry={() => setAttempt((before) => before + 1)} />
        ) : !sheet ? (
          <Loading />
        ) : (
          Array.from({ length: sheet.pageCount }, (_, index) => {
            const own = marks.get(index + 1) ?? noMarks;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the pages of a file have no other key
              <div key={index} className="region-page">
                <SheetPage
                  {...{ sheet, view, scroller, onChange, page: index + 1, number: index + 1, startNumber: 1 }}
                  fileId={questionsFile}
                  marks={own}
                  tool={drawn ? 'highlight' : undefined}
                  selected={own.some(({ id }) => id === selected) ? selected : undefined}
                  edited={undefined}
                  itemPoints={noPoints}
                  onTool={nothing}
                  onSelect={setSelected}
                  onEdit={nothing}
                />
                <RegionLabels info={sheet.info(index + 1)} marks={own} drawn={key} />
              </div>
            );
          })
        )}
      </div>
      {/* biome-ignore-end lint/a11y/useSemanticElements: it is not part of a form */}
      {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: it must be scrollable by keyboard */}
    </section>
  );
}

/** Opens the question PDF and reads the sizes of all its pages, which are needed to label the regions. */
function useMeasuredSheet(url: string, attempt: number) {
  const { sheet, error } = useSheet(url, attempt);
  const [measured, setMeasured] = useState<SheetDocument>();
  useEffect(() => {
    if (!sheet) return;
    const pages = Array.from({ length: sheet.pageCount }, (_, index) => sheet.readPage(index + 1));
    // A page that cannot be read shows its own error.
    void Promise.allSettled(pages).then(() => setMeasured(sheet));
  }, [sheet]);
  return { sheet: measured === sheet ? sheet : undefined, error };
}

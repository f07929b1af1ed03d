import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../shared/api/apiError.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PlainPage } from '../../shared/sheet/PlainPage.tsx';
import { pageSize, type SheetDocument } from '../../shared/sheet/sheetDocument.ts';
import { EmptyState, ErrorState, Loading } from '../../shared/ui/states.tsx';
import { pageId } from './pageId.ts';
import type { OwnSubmission } from './useOwnSubmission.ts';
import { useSheets } from './useSheets.ts';

type Props = Pick<OwnSubmission, 'annotatedUrl' | 'files'>;

/** Shows the submitted pages: as marked by the graders, or otherwise as submitted. */
export function OwnPages({ annotatedUrl, files }: Props) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const { sheets, isPlain, error, retry } = useSheets(annotatedUrl, files);
  return (
    <section className="own-sheet" aria-label={t('Answer sheet')}>
      {isPlain && (
        <p className="notice" role="status">
          {t('The marks cannot be drawn into this file. It is shown as you handed it in.')}
        </p>
      )}
      <div ref={place} className="own-pages">
        {files.length === 0 || isGone(error) ? (
          <EmptyState title={t('There is no file')}>
            <p>{t('It was removed or was never handed in.')}</p>
          </EmptyState>
        ) : error ? (
          <ErrorState error={error} onRetry={retry} />
        ) : !sheets || width === 0 ? (
          <Loading />
        ) : (
          pagesOf(sheets).map(({ sheet, page, number }) => (
            <div key={number} id={pageId(number)} tabIndex={-1}>
              <PlainPage sheet={sheet} page={page} number={number} scale={scaleToFit(sheet, width)} />
            </div>
          ))
        )}
      </div>
    </section>
  );
}

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404;

/** Fits the width of the container. A small page is enlarged at most three times. */
function scaleToFit(sheet: SheetDocument, width: number): number {
  return Math.min(width / pageSize(sheet.info(1), { turn: 0, scale: 1 }).width, 3);
}

/** Lists the pages of all files. */
function pagesOf(sheets: SheetDocument[]) {
  let number = 0;
  return sheets.flatMap((sheet) =>
    Array.from({ length: sheet.pageCount }, (_, index) => {
      number += 1;
      return { sheet, page: index + 1, number };
    }),
  );
}

function useWidth(place: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [place]);
  return width;
}

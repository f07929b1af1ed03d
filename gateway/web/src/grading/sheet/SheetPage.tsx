import { memo, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { pageSize, type SheetDocument, type View } from '../../shared/sheet/sheetDocument.ts';
import { showRender } from '../../shared/sheet/showRender.ts';
import type { Annotation } from '../queue/gradingTypes.ts';
import { MarkLayer } from './MarkLayer.tsx';
import type { MarkChange } from './markHistory.ts';
import { PageNotes } from './PageNotes.tsx';
import type { Tool } from './tools.ts';
import { useNearness } from './useNearness.ts';

export interface SheetPageProps {
  sheet: SheetDocument;
  page: number;
  /** Page number, counted across all files. */
  number: number;
  /** The page that is seen first, usually 1. */
  startNumber?: number | undefined;
  fileId: number;
  view: View;
  marks: Annotation[];
  tool: Tool | undefined;
  selected: string | undefined;
  edited: string | undefined;
  itemPoints: ReadonlyMap<number, string>;
  scroller: RefObject<HTMLElement | null>;
  onTool(tool: Tool | undefined): void;
  onSelect(id: string | undefined): void;
  onEdit(id: string | undefined): void;
  onChange(change: MarkChange): void;
}

/** A page and its marks. It is rendered when it comes close to the visible area. */
export const SheetPage = memo(function SheetPage(props: SheetPageProps) {
  const { sheet, page, number, fileId, view, scroller } = props;
  const { t } = useTranslation();
  const paper = useRef<HTMLDivElement>(null);
  const nearness = useNearness(paper, scroller, number === (props.startNumber ?? 1) ? 'shown' : 'far');
  const [hasFailed, setFailed] = useState(false);
  const [info, setInfo] = useState(() => sheet.info(page));

  // A hidden desk must not hold canvases.
  useLayoutEffect(() => {
    const element = paper.current?.querySelector('.page-canvas');
    return () => element?.replaceChildren();
  }, []);

  useLayoutEffect(() => {
    const element = paper.current?.querySelector('.page-canvas');
    if (!element) return;
    if (nearness === 'far') return element.replaceChildren();
    const ready = sheet.rendered(page, view);
    if (ready) return element.replaceChildren(ready);
    // The previous canvas stays, stretched, until the new one is ready.
    return showRender(sheet.render(page, view, nearness), element, (isRendered) => {
      setFailed(!isRendered);
      if (isRendered) setInfo(sheet.info(page));
    });
  }, [sheet, page, view, nearness]);

  const { width, height } = pageSize(info, view);
  return (
    <div
      ref={paper}
      className="sheet-page"
      data-page={number}
      data-file={page === 1 ? fileId : undefined}
      style={{ inlineSize: `${width}px`, blockSize: `${height}px` }}
    >
      <div className="page-canvas" role="img" aria-label={t('Page {page}', { page: number })} />
      {hasFailed && <p className="page-failed">{t('This page cannot be shown.')}</p>}
      <MarkLayer
        info={info}
        view={view}
        fileId={fileId}
        page={page}
        marks={props.marks}
        tool={props.tool}
        selected={props.selected}
        edited={props.edited}
        itemPoints={props.itemPoints}
        onTool={props.onTool}
        onSelect={props.onSelect}
        onEdit={props.onEdit}
        onChange={props.onChange}
      />
      {nearness !== 'far' && <PageNotes sheet={sheet} page={page} info={info} view={view} />}
    </div>
  );
});

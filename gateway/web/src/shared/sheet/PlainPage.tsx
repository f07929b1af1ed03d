import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../language/useTranslation.ts';
import './plainPage.css';
import { pageSize, type SheetDocument, type View } from './sheetDocument.ts';
import { showRender } from './showRender.ts';

interface Props {
  sheet: SheetDocument;
  page: number;
  /** Page number, counted across all files. */
  number: number;
  scale: number;
}

/** A page without marks. It is rendered when it comes close to the visible area, and released when it is far away. */
export function PlainPage({ sheet, page, number, scale }: Props) {
  const { t } = useTranslation();
  const paper = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(number === 1);
  const [hasFailed, setFailed] = useState(false);
  const [info, setInfo] = useState(() => sheet.info(page));
  const view: View = useMemo(() => ({ scale, turn: 0 }), [scale]);

  useEffect(() => {
    const element = paper.current;
    if (!element) return;
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: '100% 0px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const element = paper.current;
    if (!element) return;
    if (!isNear) return element.replaceChildren();
    return showRender(sheet.render(page, view), element, (isRendered) => {
      setFailed(!isRendered);
      if (isRendered) setInfo(sheet.info(page));
    });
  }, [sheet, page, view, isNear]);

  const { width, height } = pageSize(info, view);
  return (
    <div className="plain-page" style={{ aspectRatio: `${width} / ${height}` }}>
      <div ref={paper} className="plain-canvas" role="img" aria-label={t('Page {page}', { page: number })} />
      {hasFailed && <p>{t('This page cannot be shown.')}</p>}
    </div>
  );
}

import { useEffect, useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { pageToView, placeRect, turned } from '../../shared/sheet/pageCoordinates.ts';
import type { SheetDocument, SheetNote, SheetPageInfo, View } from '../../shared/sheet/sheetDocument.ts';
import { ToolIcon } from '../../shared/ui/toolIcons.tsx';

interface Props {
  sheet: SheetDocument;
  page: number;
  info: SheetPageInfo;
  view: View;
}

/** Shows the student's own notes on a page. Each opens at its icon. */
export function PageNotes({ sheet, page, info: { box, turn }, view }: Props) {
  const { t } = useTranslation();
  const [notes, setNotes] = useState<SheetNote[]>([]);

  useEffect(() => {
    let isCurrent = true;
    sheet.notes(page).then(
      (found) => isCurrent && setNotes(found),
      // The page itself reports that it cannot be displayed.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [sheet, page]);

  const toShown = pageToView(box, turned(turn, view.turn));
  return notes.map(({ text, rect }, index) => {
    const [left, top] = placeRect(toShown, rect);
    return (
      <details
        // biome-ignore lint/suspicious/noArrayIndexKey: the notes of a file never change
        key={index}
        className="page-note"
        style={{ left: `${left * view.scale}px`, top: `${top * view.scale}px` }}
      >
        <summary aria-label={t('Note of the student')}>
          <ToolIcon name="note" />
        </summary>
        <p className="written" dir="auto">
          {text}
        </p>
      </details>
    );
  });
}

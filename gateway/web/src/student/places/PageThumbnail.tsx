import { useRef } from 'react';
import { Button, useDrop } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PlainPage } from '../../shared/sheet/PlainPage.tsx';
import { pageSize, type SheetDocument } from '../../shared/sheet/sheetDocument.ts';
import type { ListedQuestion } from '../records/studentTypes.ts';
import { questionType } from './questionType.ts';

interface Props {
  sheet: SheetDocument;
  page: number;
  /** The questions whose answers are on the page. */
  questions: ListedQuestion[];
  onPress(): void;
  onDrop(questionId: number): void;
}

/** In CSS pixels. The column may be narrower. */
const thumbnailWidth = 160;

/** A page thumbnail that can be pressed, and onto which questions can be dropped. */
export function PageThumbnail({ sheet, page, questions, onPress, onDrop }: Props) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const { dropProps, dropButtonProps, isDropTarget } = useDrop({
    ref: button,
    hasDropButton: true,
    getDropOperation: (types) => (types.has(questionType) ? 'move' : 'cancel'),
    onDrop: ({ items: [item] }) => {
      if (item?.kind === 'text') void item.getText(questionType).then((id) => onDrop(Number(id)));
    },
  });
  const labels = questions.map(({ label }) => label).join(', ');
  return (
    <li {...dropProps} className="places-page" data-drop-target={isDropTarget || undefined}>
      <Button
        {...dropButtonProps}
        ref={button}
        aria-label={
          labels === '' ? t('Page {page}', { page }) : t('Page {page}, questions: {labels}', { page, labels })
        }
        onPress={onPress}
      >
        <PlainPage
          sheet={sheet}
          page={page}
          number={page}
          scale={thumbnailWidth / pageSize(sheet.info(1), { turn: 0, scale: 1 }).width}
        />
        <span className="places-caption small" aria-hidden="true">
          <span className="quiet figures">{page}</span>
          {questions.map(({ id, label }) => (
            <bdi key={id} className="places-chip">
              {label}
            </bdi>
          ))}
        </span>
      </Button>
    </li>
  );
}

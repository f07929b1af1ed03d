import { useId } from 'react';
import { Button, useDrag } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { ToolIcon } from '../../shared/ui/toolIcons.tsx';
import type { ListedQuestion, Place } from '../records/studentTypes.ts';
import { type FilePage, isSamePage } from './places.ts';
import { questionType } from './questionType.ts';

interface Props {
  question: ListedQuestion;
  files: { id: number; name: string | null; pages: FilePage[] }[];
  place: Place | undefined;
  /** Whether pressing a page assigns it to this question. */
  isNext: boolean;
  onChange(to: FilePage | undefined): void;
}

/** A question with the select of its page. It can be dragged to a page; its handle also works with the keyboard. */
export function QuestionPlace({ question, files, place, isNext, onChange }: Props) {
  const { t } = useTranslation();
  const select = useId();
  const { id, label, title } = question;
  const { dragProps, dragButtonProps, isDragging } = useDrag({
    getItems: () => [{ [questionType]: String(id) }],
    hasDragButton: true,
  });
  const all = files.flatMap(({ pages }) => pages);
  const chosen = place ? all.findIndex((page) => isSamePage(page, place)) : -1;
  return (
    <li
      {...dragProps}
      className="places-question"
      data-next={isNext || undefined}
      data-dragging={isDragging || undefined}
    >
      <Button
        {...dragButtonProps}
        className="button plain icon"
        aria-label={t('Drag question {label}', { label })}
      >
        <ToolIcon name="handle" />
      </Button>
      <label htmlFor={select}>
        <span className="unseen">{t('Page of question {label}', { label })}</span>
        <strong aria-hidden="true" className="written" dir="auto">
          {label}
        </strong>
        {title !== null && (
          <span aria-hidden="true" className="quiet written-line" dir="auto">
            {title}
          </span>
        )}
      </label>
      <select
        id={select}
        className="input"
        value={chosen}
        onChange={({ target }) => onChange(all[Number(target.value)])}
      >
        <option value={-1}>{t('No page')}</option>
        {files.map((file) => {
          const options = file.pages.map((page) => (
            <option key={page.page} value={all.indexOf(page)}>
              {t('Page {page}', { page: page.page })}
            </option>
          ));
          if (files.length === 1) return options;
          return (
            <optgroup key={file.id} label={file.name ?? t('My file')}>
              {options}
            </optgroup>
          );
        })}
      </select>
    </li>
  );
}

import { useId } from 'react';
import { Button, ToggleButton, useDrag } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { ToolIcon } from '../../shared/ui/toolIcons.tsx';
import type { ListedQuestion, Place } from '../records/studentTypes.ts';
import { type FilePage, isSamePage } from './places.ts';
import { questionType } from './questionType.ts';

interface Props {
  question: ListedQuestion;
  files: { id: number; name: string | null; pages: FilePage[] }[];
  places: Place[];
  /** Whether pressing a page assigns it to this question. */
  isNext: boolean;
  /** Whether another page of the answer is being chosen. */
  isAdding: boolean;
  /** Changes the page at an index. */
  onChange(index: number, to: FilePage | undefined): void;
  onAdding(is: boolean): void;
}

/**
 * A question with a select for each of its pages. It can be dragged to a page; its handle also works with the
 * keyboard.
 */
export function QuestionPlace(props: Props) {
  const { question, files, places, isNext, isAdding, onChange, onAdding } = props;
  const { t } = useTranslation();
  const select = useId();
  const { id, label, title } = question;
  const { dragProps, dragButtonProps, isDragging } = useDrag({
    getItems: () => [{ [questionType]: String(id) }],
    hasDragButton: true,
  });
  const all = files.flatMap(({ pages }) => pages);
  // An answer without a page has an empty select.
  const added = isAdding || places.length === 0 ? [undefined] : [];
  const shown = [...places, ...added].map((place, index) => ({ place, index }));
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
      <div className="places-selects">
        {shown.map(({ place, index }) => (
          <PageSelect
            // A select keeps the focus when its page changes.
            key={index}
            {...(index === 0
              ? { id: select }
              : { label: t('Additional page for question {label}', { label }) })}
            files={files}
            place={place}
            onChange={(to) => onChange(index, to)}
          />
        ))}
      </div>
      <ToggleButton
        className="button plain icon"
        aria-label={t('Add a page to question {label}', { label })}
        isDisabled={places.length === 0 || places.length === all.length}
        isSelected={isAdding}
        onChange={onAdding}
      >
        <ToolIcon name="plus" />
      </ToggleButton>
    </li>
  );
}

interface SelectProps extends Pick<Props, 'files'> {
  id?: string;
  label?: string;
  place: FilePage | undefined;
  onChange(to: FilePage | undefined): void;
}

function PageSelect({ id, label, files, place, onChange }: SelectProps) {
  const { t } = useTranslation();
  const all = files.flatMap(({ pages }) => pages);
  return (
    <select
      id={id}
      aria-label={label}
      className="input"
      value={place ? all.findIndex((page) => isSamePage(page, place)) : -1}
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
  );
}

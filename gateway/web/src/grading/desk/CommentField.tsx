import { type RefObject, useId } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { CommentBank } from './CommentBank.tsx';

const maxLength = 1000;

interface Props {
  ref: RefObject<HTMLTextAreaElement | null>;
  courseId: number | undefined;
  value: string;
  error: string | undefined;
  onChange(comment: string): void;
}

export function CommentField({ ref, courseId, value, error, onChange }: Props) {
  const { t, formatNumber } = useTranslation();
  const id = useId();
  const length = [...value].length;

  /** Inserts a comment at the cursor, on its own line if the field already has text. */
  const insert = (text: string) => {
    const field = ref.current;
    const at = field && document.activeElement === field ? field.selectionStart : value.length;
    const [before, after] = [value.slice(0, at), value.slice(at)];
    const separator = before === '' || before.endsWith('\n') ? '' : '\n';
    onChange(`${before}${separator}${text}${after}`);
    // The list returns the focus to its own field first.
    requestAnimationFrame(() => field?.focus());
  };

  return (
    <>
      <div className="field">
        <label htmlFor={id}>{t('Comment')}</label>
        <textarea
          ref={ref}
          id={id}
          className="input"
          rows={4}
          dir="auto"
          value={value}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-length`}
          onChange={(event) => onChange(event.target.value)}
        />
        <p id={`${id}-length`} className={length > maxLength ? 'field-error' : 'quiet small'}>
          {error ??
            (length > maxLength * 0.8
              ? t('{count} of 1,000 characters', { count: formatNumber(length) })
              : '')}
        </p>
      </div>
      <CommentBank courseId={courseId} comment={value} onInsert={insert} />
    </>
  );
}

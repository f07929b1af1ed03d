import type { ChangeEvent } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { MoveHandle } from '../../shared/ui/MoveHandle.tsx';
import { NumberInput } from '../../shared/ui/NumberInput.tsx';
import { ToolIcon } from '../../shared/ui/toolIcons.tsx';
import { Field } from '../rubric/Field.tsx';
import type { QuestionForm } from './outlineForm.ts';
import { drawButtonId } from './regionMarks.ts';

interface Props {
  question: QuestionForm;
  index: number;
  count: number;
  /** Graded answers. */
  graded: number;
  /** The question has just been added. */
  isNew: boolean;
  isDragged: boolean;
  /** The question PDF is available to draw on. */
  canDraw: boolean;
  /** The region is being drawn. */
  isDrawn: boolean;
  onDraw(isDrawn: boolean): void;
  onChange(fields: Partial<QuestionForm>): void;
  onRemove(): void;
  onMove(to: number): void;
  onDrag(): void;
  onDragOver(): void;
  onDragEnd(): void;
}

/** An editable question. Its handle can be dragged, or moved with the arrow keys. */
export function QuestionEditor(props: Props) {
  const { question, index, count, graded, isNew, isDragged, onChange, onRemove, onMove } = props;
  const { onDrag, onDragOver, onDragEnd } = props;
  const { t } = useTranslation();
  const number = index + 1;
  const input = (field: 'label' | 'title', maxLength: number) => ({
    className: 'input',
    dir: 'auto' as const,
    value: question[field],
    maxLength,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ [field]: event.target.value }),
  });
  return (
    <li
      className="item-editor"
      data-dragged={isDragged || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        onDragOver();
      }}
    >
      <MoveHandle
        name={t('Move question {number}', { number })}
        index={index}
        count={count}
        stepOf={(key) => (key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0)}
        onMove={onMove}
        draggable
        onDragStart={onDrag}
        onDragEnd={onDragEnd}
      />
      <div className="question-fields">
        <Field name={t('Label')}>
          <input
            // biome-ignore lint/a11y/noAutofocus: the user asked for this row
            autoFocus={isNew}
            {...input('label', 20)}
          />
        </Field>
        <Field name={t('Points')}>
          <NumberInput min={0} value={question.points} onChange={(points) => onChange({ points })} />
        </Field>
        <Field name={t('Title')} className="wide">
          <input {...input('title', 200)} />
        </Field>
        <RegionButtons {...props} />
        {graded > 0 && (
          <p className="quiet small uses">
            {t('{count, plural, one {# answer} other {# answers}} graded', { count: graded })}
          </p>
        )}
      </div>
      <Button
        className="button plain icon"
        aria-label={t('Remove question {number}', { number })}
        onPress={onRemove}
      >
        <ToolIcon name="trash" />
      </Button>
    </li>
  );
}

function RegionButtons({ question, index, canDraw, isDrawn, onDraw, onChange }: Props) {
  const { t } = useTranslation();
  const { key, region } = question;
  if (!canDraw && !region) return null;
  const label = question.label.trim() || String(index + 1);
  return (
    <div className="question-region">
      {canDraw && (
        <Button
          id={drawButtonId(key)}
          className="button"
          aria-pressed={isDrawn}
          aria-label={t('Draw the region of question {label}', { label })}
          onPress={() => onDraw(!isDrawn)}
        >
          <ToolIcon name="crop" />
          {t('Draw the region')}
        </Button>
      )}
      {region && (
        <>
          <span className="quiet small">{t('On page {page}', { page: region.page })}</span>
          <Button
            className="button plain icon"
            aria-label={t('Remove the region of question {label}', { label })}
            onPress={() => onChange({ region: null })}
          >
            <ToolIcon name="cross" />
          </Button>
        </>
      )}
    </div>
  );
}

import { useId } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Icon } from '../../shared/ui/icons.tsx';
import { NumberInput } from '../../shared/ui/NumberInput.tsx';
import { Field } from './Field.tsx';
import type { ItemForm } from './rubricForm.ts';

interface Props {
  item: ItemForm;
  index: number;
  count: number;
  uses: number;
  isDragged: boolean;
  /** The item has just been added. */
  isNew: boolean;
  onChange(fields: Partial<ItemForm>): void;
  onRemove(): void;
  onMove(to: number): void;
  onDrag(): void;
  onDragOver(): void;
  onDragEnd(): void;
}

/** An editable rubric item. Its handle can be dragged, or moved with the arrow keys. */
export function ItemEditor(props: Props) {
  const { item, index, count, uses, isDragged, isNew, onChange, onRemove, onMove } = props;
  const { onDrag, onDragOver, onDragEnd } = props;
  const { t } = useTranslation();
  const hint = useId();
  const number = index + 1;
  return (
    <li
      className="item-editor"
      data-dragged={isDragged || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        onDragOver();
      }}
    >
      {/* A native button: React Aria's button captures the pointer that dragging needs. */}
      <button
        type="button"
        className="button plain icon handle"
        aria-label={t('Move item {number}', { number })}
        aria-describedby={hint}
        draggable
        onDragStart={onDrag}
        onDragEnd={onDragEnd}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
          if (step === 0) return;
          event.preventDefault();
          onMove(index + step);
        }}
      >
        <Icon name="handle" />
      </button>
      <span id={hint} hidden>
        {t('Position {number} of {count}. Use the arrow keys to move it.', { number, count })}
      </span>
      <div className="item-fields">
        <Field name={t('Text')} className="wide">
          <input
            className="input"
            // biome-ignore lint/a11y/noAutofocus: the user asked for this row
            autoFocus={isNew}
            value={item.text}
            maxLength={500}
            dir="auto"
            onChange={(event) => onChange({ text: event.target.value })}
          />
        </Field>
        <Field name={t('Points')}>
          <NumberInput min={0} value={item.points} onChange={(points) => onChange({ points })} />
        </Field>
        <Field name={t('Key')}>
          <input
            className="input"
            value={item.shortcut}
            maxLength={2}
            onChange={(event) => onChange({ shortcut: event.target.value })}
          />
        </Field>
        <Field name={t('Explanation')} className="wide">
          <input
            className="input"
            value={item.explanation}
            maxLength={1000}
            dir="auto"
            onChange={(event) => onChange({ explanation: event.target.value })}
          />
        </Field>
        <Field name={t('Group (only one applies)')} className="two">
          <input
            className="input"
            value={item.group}
            maxLength={100}
            dir="auto"
            onChange={(event) => onChange({ group: event.target.value })}
          />
        </Field>
        {uses > 0 && (
          <p className="quiet small uses">
            {t('Selected in {uses, plural, one {# submission} other {# submissions}}.', { uses })}
          </p>
        )}
      </div>
      <Button
        className="button plain icon"
        aria-label={t('Remove item {number}', { number })}
        onPress={onRemove}
      >
        <Icon name="trash" />
      </Button>
    </li>
  );
}

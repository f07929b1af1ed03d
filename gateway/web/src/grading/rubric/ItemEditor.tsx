import type { ChangeEvent } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { MoveHandle } from '../../shared/ui/MoveHandle.tsx';
import { NumberInput } from '../../shared/ui/NumberInput.tsx';
import { ToolIcon } from '../../shared/ui/toolIcons.tsx';
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
  const number = index + 1;
  const input = (field: 'text' | 'shortcut' | 'explanation' | 'group', maxLength: number) => ({
    className: 'input',
    value: item[field],
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
        name={t('Move item {number}', { number })}
        index={index}
        count={count}
        stepOf={(key) => (key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0)}
        onMove={onMove}
        draggable
        onDragStart={onDrag}
        onDragEnd={onDragEnd}
      />
      <div className="item-fields">
        <Field name={t('Text')} className="wide">
          <input
            // biome-ignore lint/a11y/noAutofocus: the user asked for this row
            autoFocus={isNew}
            {...input('text', 500)}
            dir="auto"
          />
        </Field>
        <Field name={t('Points')}>
          <NumberInput min={0} value={item.points} onChange={(points) => onChange({ points })} />
        </Field>
        <Field name={t('Key')}>
          <input {...input('shortcut', 2)} />
        </Field>
        <Field name={t('Explanation')} className="wide">
          <input {...input('explanation', 1000)} dir="auto" />
        </Field>
        <Field name={t('Group (only one applies)')} className="two">
          <input {...input('group', 100)} dir="auto" />
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
        <ToolIcon name="trash" />
      </Button>
    </li>
  );
}

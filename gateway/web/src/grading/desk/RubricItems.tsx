import { type RefObject, useId } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Rubric, RubricItem } from '../queue/gradingTypes.ts';
import { itemRuns } from './itemRuns.ts';

interface Props {
  /** The option that no item applies. */
  ref: RefObject<HTMLInputElement | null>;
  rubric: Rubric;
  selection: number[];
  noneApplies: boolean;
  error: string | undefined;
  onToggle(id: number): void;
  onToggleNone(): void;
}

/**
 * The items of the rubric. An item's text is the accessible name of its control; points, key and explanation describe
 * it.
 */
export function RubricItems(props: Props) {
  const { ref, rubric, selection, noneApplies, error, onToggle, onToggleNone } = props;
  const { t } = useTranslation();
  const id = useId();
  const keyOf = (item: RubricItem) => {
    const index = rubric.items.indexOf(item);
    return item.key ?? (index < 9 ? String(index + 1) : undefined);
  };
  const itemOf = (item: RubricItem, radioName?: string) => (
    <Item
      key={item.id}
      item={item}
      shortcut={keyOf(item)}
      radioName={radioName}
      isSubtracted={rubric.mode === 'subtract'}
      isSelected={selection.includes(item.id)}
      onToggle={() => onToggle(item.id)}
    />
  );
  return (
    <fieldset className="rubric-items" aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend className="field-label">{t('Rubric')}</legend>
      <label className="rubric-item">
        <input
          ref={ref}
          type="checkbox"
          checked={noneApplies}
          onChange={onToggleNone}
          aria-invalid={error !== undefined}
          aria-labelledby={`${id}-none`}
          aria-keyshortcuts="0"
        />
        <span id={`${id}-none`}>{rubric.mode === 'subtract' ? t('No deductions') : t('No points')}</span>
        <span className="figures small rubric-points">0</span>
        <kbd>0</kbd>
      </label>
      {itemRuns(rubric.items).map(({ group, items }) => {
        const [first] = items;
        if (group === null) return items.map((item) => itemOf(item));
        return (
          <div key={`group ${first?.id}`} className="rubric-group" role="radiogroup" aria-label={group}>
            <p className="written quiet small" aria-hidden="true" dir="auto">
              {group}
            </p>
            {items.map((item) => itemOf(item, `${id} ${group}`))}
          </div>
        );
      })}
      {error !== undefined && (
        <p id={`${id}-error`} className="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface ItemProps {
  item: RubricItem;
  shortcut: string | undefined;
  /** The name that the radio buttons of a group share. */
  radioName: string | undefined;
  isSubtracted: boolean;
  isSelected: boolean;
  onToggle(): void;
}

function Item({ item, shortcut, radioName, isSubtracted, isSelected, onToggle }: ItemProps) {
  const { formatNumber } = useTranslation();
  const id = useId();
  // A radio button fires no change event when it is pressed again, which is how a choice is cleared.
  const control =
    radioName === undefined
      ? ({ type: 'checkbox', onChange: onToggle } as const)
      : ({ type: 'radio', name: radioName, onChange: () => {}, onClick: onToggle } as const);
  return (
    <label className="rubric-item">
      <input
        {...control}
        checked={isSelected}
        aria-labelledby={`${id}-text`}
        aria-describedby={`${id}-points ${id}-explanation`}
        aria-keyshortcuts={shortcut}
      />
      <span className="rubric-item-text">
        <span id={`${id}-text`} className="written">
          {item.text}
        </span>
        <span id={`${id}-explanation`} className="written quiet small">
          {item.explanation}
        </span>
      </span>
      <span id={`${id}-points`} className="figures small rubric-points" dir="ltr">
        {item.points === 0 ? '0' : `${isSubtracted ? '−' : '+'}${formatNumber(item.points)}`}
      </span>
      {shortcut !== undefined && <kbd>{shortcut}</kbd>}
    </label>
  );
}

import { useId } from 'react';
import { useWords } from '../../shared/language/text.ts';
import type { Rubric, RubricItem } from '../queue/gradingTypes.ts';

interface Props {
  rubric: Rubric;
  selection: number[];
  onToggle(id: number): void;
}

/** The items of the rubric. Their text is the name of their checkbox; points, key and explanation describe it. */
export function RubricItems({ rubric, selection, onToggle }: Props) {
  const { t } = useWords();
  return (
    <fieldset className="rubric-items">
      <legend className="field-label">{t('Rubric')}</legend>
      {rubric.items.map((item, index) => (
        <Item
          key={item.id}
          item={item}
          index={index}
          isSubtracted={rubric.mode === 'subtract'}
          isSelected={selection.includes(item.id)}
          onToggle={() => onToggle(item.id)}
        />
      ))}
    </fieldset>
  );
}

interface ItemProps {
  item: RubricItem;
  index: number;
  isSubtracted: boolean;
  isSelected: boolean;
  onToggle(): void;
}

function Item({ item, index, isSubtracted, isSelected, onToggle }: ItemProps) {
  const { formatNumber } = useWords();
  const id = useId();
  const key = item.key ?? (index < 9 ? String(index + 1) : undefined);
  return (
    <label className="rubric-item">
      <input
        type="checkbox"
        checked={isSelected}
        onChange={onToggle}
        aria-labelledby={`${id}-text`}
        aria-describedby={`${id}-points ${id}-explanation`}
        aria-keyshortcuts={key}
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
      {key !== undefined && <kbd>{key}</kbd>}
    </label>
  );
}

import { useId } from 'react';
import { Button } from 'react-aria-components';
import { useWords } from '../../shared/language/text.ts';
import { Icon } from '../../shared/ui/icons.tsx';
import type { Annotation, RubricItem } from '../queue/gradingTypes.ts';
import { colorsOf } from './markColors.ts';
import type { MarkChange } from './markHistory.ts';

interface Props {
  mark: Annotation;
  items: RubricItem[];
  onChange(change: MarkChange): void;
}

/** What can be done with the mark that is held. */
export function SelectedMark({ mark, items, onChange }: Props) {
  const { t } = useWords();
  const id = useId();
  const change = (fields: Partial<Annotation>) => onChange({ do: 'change', mark: { ...mark, ...fields } });
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no part of a form
    <div className="mark-bar" role="group" aria-label={t('Selected mark')}>
      {colorsOf(mark).map(({ english, color, shown }) => (
        <Button
          key={english}
          className="button plain icon"
          aria-label={t(english)}
          aria-pressed={mark.color === color}
          onPress={() => change({ color })}
        >
          <span className="swatch" style={{ background: shown }} />
        </Button>
      ))}
      {items.length > 0 && (
        <>
          <label htmlFor={id} className="unseen">
            {t('Item of the rubric')}
          </label>
          <select
            id={id}
            className="input"
            dir="auto"
            value={mark.item_id ?? ''}
            onChange={({ target }) => change({ item_id: target.value === '' ? null : Number(target.value) })}
          >
            <option value="">{t('No item of the rubric')}</option>
            {items.map((item) => (
              <option key={item.id} value={item.id}>
                {item.text}
              </option>
            ))}
          </select>
        </>
      )}
      <Button
        className="button plain icon"
        aria-label={t('Remove the mark')}
        onPress={() => onChange({ do: 'remove', id: mark.id })}
      >
        <Icon name="trash" />
      </Button>
    </div>
  );
}

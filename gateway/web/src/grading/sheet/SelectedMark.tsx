import { useId } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { ToolIcon } from '../../shared/ui/toolIcons.tsx';
import type { Annotation, RubricItem } from '../queue/gradingTypes.ts';
import { ColorButtons } from './ColorButtons.tsx';
import type { MarkChange } from './markHistory.ts';

interface Props {
  mark: Annotation;
  items: RubricItem[];
  onEdit(): void;
  onChange(change: MarkChange): void;
}

/** A toolbar for the selected mark. */
export function SelectedMark({ mark, items, onEdit, onChange }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const change = (fields: Partial<Annotation>) => onChange({ do: 'change', mark: { ...mark, ...fields } });
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is not part of a form
    <div className="mark-bar" role="group" aria-label={t('Selected mark')}>
      <ColorButtons kind={mark.kind} color={mark.color} onChoose={({ color }) => change({ color })} />
      {items.length > 0 && (
        <>
          <label htmlFor={id} className="unseen">
            {t('Rubric item')}
          </label>
          <select
            id={id}
            className="input"
            dir="auto"
            value={mark.item_id ?? ''}
            onChange={({ target }) => change({ item_id: target.value === '' ? null : Number(target.value) })}
          >
            <option value="">{t('No rubric item')}</option>
            {items.map((item) => (
              <option key={item.id} value={item.id}>
                {item.text}
              </option>
            ))}
          </select>
        </>
      )}
      {mark.kind === 'text' && (
        <Button className="button plain icon" aria-label={t('Edit the text')} onPress={onEdit}>
          <ToolIcon name="pen" />
        </Button>
      )}
      <Button
        className="button plain icon"
        aria-label={t('Remove the mark')}
        onPress={() => onChange({ do: 'remove', id: mark.id })}
      >
        <ToolIcon name="trash" />
      </Button>
    </div>
  );
}

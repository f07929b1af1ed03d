import { useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { ApiError } from '../../shared/api/apiError.ts';
import { useWords } from '../../shared/language/text.ts';
import { Icon } from '../../shared/ui/icons.tsx';
import { explain } from '../../shared/ui/states.tsx';
import { previewRubric, saveRubric } from '../queue/gradingRequests.ts';
import type { ItemId, Regrading, Rubric } from '../queue/gradingTypes.ts';
import { ItemEditor } from './ItemEditor.tsx';
import { PreviewDialog } from './PreviewDialog.tsx';
import { bodyOf, formOf, type ItemForm, mistakeIn, moved, newItem } from './rubricForm.ts';

interface Saved {
  rubric: Rubric;
  etag: string;
}

interface Props {
  item: ItemId;
  saved: Saved | null;
  usualTotal: number | null;
  wasSaved: boolean;
  onSaved(saved: Saved): void;
}

/** Edits a rubric. Nothing changes before the effect on the grades was shown. */
export function RubricEditor({ item, saved, usualTotal, wasSaved, onSaved }: Props) {
  const { t } = useWords();
  const [form, setForm] = useState(() => formOf(saved?.rubric ?? null, usualTotal));
  const [etag, setEtag] = useState(saved?.etag ?? null);
  const [mistake, setMistake] = useState('');
  const [preview, setPreview] = useState<Regrading>();
  const [said, setSaid] = useState(wasSaved ? t('Saved') : '');
  const [dragged, setDragged] = useState<number>();
  const list = useRef<HTMLOListElement>(null);

  const change = (index: number, fields: Partial<ItemForm>) =>
    setForm((before) => ({
      ...before,
      items: before.items.map((each, place) => (place === index ? { ...each, ...fields } : each)),
    }));
  const move = (from: number, to: number) => {
    setForm((before) => ({ ...before, items: moved(before.items, from, to) }));
    if (to >= 0 && to < form.items.length)
      setSaid(t('Item {place} of {count}', { place: to + 1, count: form.items.length }));
  };

  /** Shows what a request refuses. After a change by another grader the next attempt is upon that one's rubric. */
  function refuse(error: unknown): void {
    setPreview(undefined);
    if (error instanceof ApiError && error.status === 412) {
      setEtag(error.data ? error.etag : null);
      setMistake(
        t('Another grader has changed the rubric in the meantime. Preview again to replace it with yours.'),
      );
    } else
      setMistake(
        error instanceof ApiError && error.status === 422 ? error.sentence : explain(error, t).title,
      );
  }

  async function showPreview(): Promise<void> {
    const wrong = mistakeIn(form);
    setMistake(wrong === undefined ? '' : t(wrong));
    setSaid('');
    if (wrong !== undefined) return;
    await previewRubric(item, bodyOf(form), etag).then(setPreview, refuse);
  }

  async function apply(): Promise<void> {
    await saveRubric(item, bodyOf(form), etag).then(onSaved, refuse);
  }

  return (
    <form
      className="rubric-editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void showPreview();
      }}
    >
      <div className="rubric-scale">
        <label className="field">
          <span className="field-label">{t('Points')}</span>
          <select
            className="input"
            value={form.mode}
            onChange={(event) => setForm({ ...form, mode: event.target.value as Rubric['mode'] })}
          >
            <option value="subtract">{t('Subtract from the maximum')}</option>
            <option value="add">{t('Add up from 0')}</option>
          </select>
        </label>
        <label className="field">
          <span className="field-label">{t('Maximum')}</span>
          <input
            className="input figures"
            type="number"
            step="any"
            min={0}
            readOnly={item.kind === 'homeworks'}
            value={form.maxPoints}
            onChange={(event) => setForm({ ...form, maxPoints: event.target.value })}
          />
        </label>
        <label className="field">
          <span className="field-label">{t('Minimum')}</span>
          <input
            className="input figures"
            type="number"
            step="any"
            min={0}
            value={form.minPoints}
            onChange={(event) => setForm({ ...form, minPoints: event.target.value })}
          />
        </label>
      </div>
      <ol ref={list} className="card rubric-list" aria-label={t('Items')}>
        {form.items.map((each, index) => (
          <ItemEditor
            key={each.key}
            item={each}
            index={index}
            count={form.items.length}
            uses={saved?.rubric.items.find(({ id }) => id === each.id)?.uses ?? 0}
            isDragged={dragged === index}
            onChange={(fields) => change(index, fields)}
            onRemove={() => setForm({ ...form, items: form.items.toSpliced(index, 1) })}
            onMove={(to) => move(index, to)}
            onDrag={() => setDragged(index)}
            onDragOver={() => {
              if (dragged === undefined || dragged === index) return;
              move(dragged, index);
              setDragged(index);
            }}
            onDragEnd={() => setDragged(undefined)}
          />
        ))}
      </ol>
      <div>
        <Button className="button" onPress={() => setForm({ ...form, items: [...form.items, newItem()] })}>
          <Icon name="plus" />
          {t('Add an item')}
        </Button>
      </div>
      {mistake !== '' && (
        <p className="notice bad" role="alert">
          {mistake}
        </p>
      )}
      <div className="rubric-buttons">
        <Button type="submit" className="button primary">
          {t('Preview changes')}
        </Button>
        <p role="status" className="quiet small">
          {said}
        </p>
      </div>
      <PreviewDialog preview={preview} onApply={apply} onClose={() => setPreview(undefined)} />
    </form>
  );
}

import { useState } from 'react';
import { Button } from 'react-aria-components';
import { ApiError } from '../../shared/api/apiError.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { ErrorNotice } from '../../shared/ui/ErrorNotice.tsx';
import { NumberInput } from '../../shared/ui/NumberInput.tsx';
import { explain } from '../../shared/ui/states.tsx';
import { ToolIcon } from '../../shared/ui/toolIcons.tsx';
import type { RubricBody } from '../queue/gradingRequests.ts';
import type { Regrading, Rubric } from '../queue/gradingTypes.ts';
import { Field } from './Field.tsx';
import { ItemEditor } from './ItemEditor.tsx';
import { PreviewDialog } from './PreviewDialog.tsx';
import { bodyOf, errorIn, formOf, type ItemForm, isChanged, moved, newItem } from './rubricForm.ts';
import { UnsavedDialog, useLeaving } from './UnsavedDialog.tsx';
import { useListDrag } from './useListDrag.ts';

export interface SavedRubric {
  rubric: Rubric;
  etag: string;
}

/** The requests that change a rubric. An `etag` of null creates it. */
export interface RubricRequests {
  preview(body: RubricBody, etag: string | null): Promise<Regrading>;
  save(body: RubricBody, etag: string | null): Promise<SavedRubric>;
}

export interface RubricEditorProps extends RubricRequests {
  saved: SavedRubric | null;
  usualTotal: number | null;
  /** Whether the maximum is fixed: by the question, or for all homework. */
  isMaxFixed: boolean;
  wasSaved: boolean;
  onSaved(saved: SavedRubric): void;
}

/** Edits a rubric. No change is saved before its effect on the grades has been shown. */
export function RubricEditor(props: RubricEditorProps) {
  const { saved, usualTotal, isMaxFixed, wasSaved, onSaved } = props;
  const { t } = useTranslation();
  const [start] = useState(() => formOf(saved?.rubric ?? null, usualTotal));
  const [form, setForm] = useState(start);
  const [added, setAdded] = useState<string>();
  const [etag, setEtag] = useState(saved?.etag ?? null);
  const [error, setError] = useState('');
  const [preview, setPreview] = useState<Regrading>();
  const [isPreviewing, setPreviewing] = useState(false);
  const [statusText, setStatusText] = useState(wasSaved ? t('Saved') : '');
  const leaving = useLeaving(isChanged(form, start));

  const change = (index: number, fields: Partial<ItemForm>) =>
    setForm((before) => ({
      ...before,
      items: before.items.map((each, place) => (place === index ? { ...each, ...fields } : each)),
    }));
  const move = (from: number, to: number) => {
    setForm((before) => ({ ...before, items: moved(before.items, from, to) }));
    if (to >= 0 && to < form.items.length)
      setStatusText(t('Item {place} of {count}', { place: to + 1, count: form.items.length }));
  };
  const dragOf = useListDrag(move);

  /**
   * Shows why a request was rejected. After another grader's change, the next attempt is based on that grader's rubric.
   */
  function refuse(error: unknown): void {
    setPreview(undefined);
    if (error instanceof ApiError && error.status === 412) {
      setEtag(error.data ? error.etag : null);
      setError(
        t('Another grader has changed the rubric in the meantime. Preview again to replace it with yours.'),
      );
    } else
      setError(error instanceof ApiError && error.status === 422 ? error.sentence : explain(error, t).title);
  }

  async function showPreview(): Promise<void> {
    const wrong = errorIn(form);
    setError(wrong === undefined ? '' : t(wrong));
    setStatusText('');
    if (wrong !== undefined) return;
    setPreviewing(true);
    await props.preview(bodyOf(form), etag).then(setPreview, refuse);
    setPreviewing(false);
  }

  function add(): void {
    const item = newItem();
    setAdded(item.key);
    setForm((now) => ({ ...now, items: [...now.items, item] }));
  }

  async function apply(): Promise<void> {
    await props.save(bodyOf(form), etag).then(onSaved, refuse);
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
        <Field name={t('Points')}>
          <select
            className="input"
            value={form.mode}
            onChange={(event) => setForm({ ...form, mode: event.target.value as Rubric['mode'] })}
          >
            <option value="subtract">{t('Subtract from the maximum')}</option>
            <option value="add">{t('Add up from 0')}</option>
          </select>
        </Field>
        <Field name={t('Maximum')}>
          <NumberInput
            min={0}
            readOnly={isMaxFixed}
            value={form.maxPoints}
            onChange={(maxPoints) => setForm({ ...form, maxPoints })}
          />
        </Field>
        <Field name={t('Minimum')}>
          <NumberInput
            min={0}
            value={form.minPoints}
            onChange={(minPoints) => setForm({ ...form, minPoints })}
          />
        </Field>
      </div>
      <ol className="card rubric-list" aria-label={t('Items')}>
        {form.items.map((each, index) => (
          <ItemEditor
            key={each.key}
            item={each}
            index={index}
            count={form.items.length}
            uses={saved?.rubric.items.find(({ id }) => id === each.id)?.uses ?? 0}
            {...dragOf(index)}
            isNew={each.key === added}
            onChange={(fields) => change(index, fields)}
            onRemove={() => setForm({ ...form, items: form.items.toSpliced(index, 1) })}
            onMove={(to) => move(index, to)}
          />
        ))}
      </ol>
      <div>
        <Button className="button" onPress={add}>
          <ToolIcon name="plus" />
          {t('Add an item')}
        </Button>
      </div>
      <ErrorNotice text={error} />
      <div className="rubric-buttons">
        <BusyButton type="submit" className="button primary" isBusy={isPreviewing}>
          {t('Preview changes')}
        </BusyButton>
        <p role="status" className="quiet small">
          {statusText}
        </p>
      </div>
      <PreviewDialog
        preview={preview}
        saveText={t('Save the rubric')}
        onApply={apply}
        onClose={() => setPreview(undefined)}
      />
      {leaving && (
        <UnsavedDialog leaving={leaving}>{t('Your changes to the rubric are not saved.')}</UnsavedDialog>
      )}
    </form>
  );
}

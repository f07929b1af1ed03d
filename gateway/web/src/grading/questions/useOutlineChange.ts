import { useState } from 'react';
import { ApiError } from '../../shared/api/apiError.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { explain } from '../../shared/ui/states.tsx';
import type { ItemId } from '../queue/gradingTypes.ts';
import { previewOutline, saveOutline } from '../queue/questionRequests.ts';
import type { Outline, OutlineEffect, SavedOutline } from '../queue/questionTypes.ts';
import { bodyOf, concernsGrades, errorIn, formOf, keptOver, type QuestionForm } from './outlineForm.ts';

/** The questions while they are edited, and how they are saved. */
export function useOutlineChange(item: ItemId, saved: SavedOutline, onSaved: (saved: SavedOutline) => void) {
  const { t } = useTranslation();
  /** The version on which the edited questions are based. */
  const [base, setBase] = useState(saved);
  const [form, setForm] = useState(() => formOf(saved.outline));
  const [error, setError] = useState('');
  const [statusText, setStatusText] = useState('');
  const [preview, setPreview] = useState<OutlineEffect>();
  /** The version of another teacher. */
  const [conflict, setConflict] = useState<SavedOutline>();
  const [isBusy, setBusy] = useState(false);

  function show(version: SavedOutline): void {
    setBase(version);
    setForm(formOf(version.outline));
    onSaved(version);
  }

  function refuse(cause: unknown): void {
    setPreview(undefined);
    const { status, data, etag, sentence } = cause instanceof ApiError ? cause : {};
    if (status === 412 && data && etag) setConflict({ outline: data as Outline, etag });
    else if (status === 409) setError(t('This work is graded by one rubric'));
    else setError(status === 422 && sentence !== undefined ? sentence : explain(cause, t).title);
  }

  async function save(given: QuestionForm[], etag: string): Promise<void> {
    show(await saveOutline(item, bodyOf(given), etag));
    setPreview(undefined);
    setStatusText(t('Saved'));
  }

  /** Saves a change immediately if it affects no grade. Only the service can tell: others may be grading. */
  async function submit(given: QuestionForm[], { outline, etag }: SavedOutline): Promise<void> {
    const wrong = errorIn(given);
    setError(wrong === undefined ? '' : t(wrong));
    setStatusText('');
    if (wrong !== undefined) return;
    setBusy(true);
    try {
      const effect = await previewOutline(item, bodyOf(given), etag);
      const isShown = concernsGrades(given, outline) || effect.regraded + effect.ungraded > 0;
      if (isShown) setPreview(effect);
      else await save(given, etag);
    } catch (cause) {
      refuse(cause);
    }
    setBusy(false);
  }

  return {
    ...{ base, form, setForm, error, statusText, setStatusText, preview, conflict, isBusy },
    submit: () => submit(form, base),
    apply: () => save(form, base.etag).catch(refuse),
    closePreview: () => setPreview(undefined),
    keepMine: (theirs: SavedOutline) => {
      const kept = keptOver(form, theirs.outline);
      setConflict(undefined);
      setBase(theirs);
      setForm(kept);
      void submit(kept, theirs);
    },
    takeTheirs: (theirs: SavedOutline) => {
      setConflict(undefined);
      show(theirs);
    },
  };
}

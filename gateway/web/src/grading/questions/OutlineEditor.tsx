import { useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import { ApiError } from '../../shared/api/apiError.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { ErrorNotice } from '../../shared/ui/ErrorNotice.tsx';
import { explain } from '../../shared/ui/states.tsx';
import { ToolIcon } from '../../shared/ui/toolIcons.tsx';
import type { ItemId } from '../queue/gradingTypes.ts';
import { previewOutline, saveOutline } from '../queue/outlineRequests.ts';
import type { Outline, OutlineEffect, SavedOutline } from '../queue/outlineTypes.ts';
import { PreviewDialog } from '../rubric/PreviewDialog.tsx';
import { moved } from '../rubric/rubricForm.ts';
import { UnsavedDialog, useLeaving } from '../rubric/UnsavedDialog.tsx';
import { useListDrag } from '../rubric/useListDrag.ts';
import { OutlineConflict } from './OutlineConflict.tsx';
import {
  bodyOf,
  concernsGrades,
  errorIn,
  formOf,
  isChanged,
  keptOver,
  newQuestion,
  nextLabel,
  type QuestionForm,
  totalOf,
} from './outlineForm.ts';
import { QuestionEditor } from './QuestionEditor.tsx';
import { RegionSheet } from './RegionSheet.tsx';
import { drawButtonId } from './regionMarks.ts';

interface Props {
  item: ItemId;
  saved: SavedOutline;
  /** The signed URL of the question PDF. */
  questionsUrl: string | null;
  onSaved(saved: SavedOutline): void;
}

/** Edits the questions of an item. A change that concerns grades is shown before it is saved. */
export function OutlineEditor({ item, saved, questionsUrl, onSaved }: Props) {
  const { t, formatNumber } = useTranslation();
  /** The version on which the edited questions are based. */
  const [base, setBase] = useState(saved);
  const [form, setForm] = useState(() => formOf(saved.outline));
  const start = useMemo(() => formOf(base.outline), [base]);
  const [added, setAdded] = useState<string>();
  /** The key of the question whose region is being drawn. */
  const [drawn, setDrawn] = useState<string>();
  const [error, setError] = useState('');
  const [preview, setPreview] = useState<OutlineEffect>();
  const [conflict, setConflict] = useState<SavedOutline>();
  const [isBusy, setBusy] = useState(false);
  const [statusText, setStatusText] = useState('');
  const leaving = useLeaving(isChanged(form, start));

  const change = (key: string, fields: Partial<QuestionForm>) =>
    setForm((before) => before.map((each) => (each.key === key ? { ...each, ...fields } : each)));
  const move = (from: number, to: number) => {
    setForm((before) => moved(before, from, to));
    if (to >= 0 && to < form.length)
      setStatusText(t('Question {place} of {count}', { place: to + 1, count: form.length }));
  };
  const dragOf = useListDrag(move);

  function add(): void {
    const question = newQuestion(nextLabel(form.at(-1)?.label ?? '0'));
    setAdded(question.key);
    setForm((before) => [...before, question]);
  }

  function stopDrawing(): void {
    if (drawn !== undefined) document.getElementById(drawButtonId(drawn))?.focus();
    setDrawn(undefined);
  }

  function show(version: SavedOutline): void {
    setBase(version);
    setForm(formOf(version.outline));
    setDrawn(undefined);
    onSaved(version);
  }

  function refuse(cause: unknown): void {
    setPreview(undefined);
    const { status, data, etag, sentence } = cause instanceof ApiError ? cause : {};
    if (status === 412 && data && etag) setConflict({ outline: data as Outline, etag });
    else if (status === 409) setError(t('This work is graded by one rubric'));
    else setError(status === 422 && sentence !== undefined ? sentence : explain(cause, t).title);
  }

  /** Saves at once what changes no grade. Whether it does is the service's to say: others may be grading. */
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

  async function save(given: QuestionForm[], etag: string): Promise<void> {
    show(await saveOutline(item, bodyOf(given), etag));
    setPreview(undefined);
    setStatusText(t('Saved'));
  }

  function keepMine(theirs: SavedOutline): void {
    const kept = keptOver(form, theirs.outline);
    setConflict(undefined);
    setBase(theirs);
    setForm(kept);
    void submit(kept, theirs);
  }

  return (
    <section className="outline-editor" data-has-sheet={questionsUrl !== null || undefined}>
      <form
        className="outline-form"
        aria-label={t('Questions')}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit(form, base);
        }}
      >
        <h2>{t('Edit the questions')}</h2>
        <ol className="card rubric-list" aria-label={t('Questions')}>
          {form.map((question, index) => (
            <QuestionEditor
              key={question.key}
              question={question}
              index={index}
              count={form.length}
              graded={base.outline.questions.find(({ id }) => id === question.id)?.graded ?? 0}
              isNew={question.key === added}
              canDraw={questionsUrl !== null}
              isDrawn={question.key === drawn}
              onDraw={(isDrawn) => (isDrawn ? setDrawn(question.key) : stopDrawing())}
              onChange={(fields) => change(question.key, fields)}
              onRemove={() => setForm(form.toSpliced(index, 1))}
              onMove={(to) => move(index, to)}
              {...dragOf(index)}
            />
          ))}
        </ol>
        <div className="outline-sum">
          <Button className="button" onPress={add}>
            <ToolIcon name="plus" />
            {t('Add a question')}
          </Button>
          <p className="figures">{t('Total points: {points}', { points: formatNumber(totalOf(form)) })}</p>
        </div>
        {questionsUrl === null && (
          <p className="quiet small">
            {t('Add the PDF of the questions in the settings to draw where each question is.')}
          </p>
        )}
        <ErrorNotice text={error} />
        <div className="rubric-buttons">
          <BusyButton type="submit" className="button primary" isBusy={isBusy}>
            {concernsGrades(form, base.outline) ? t('Preview changes') : t('Save')}
          </BusyButton>
          <p role="status" className="quiet small">
            {statusText}
          </p>
        </div>
      </form>
      {questionsUrl !== null && (
        <RegionSheet
          url={questionsUrl}
          form={form}
          drawn={form.find(({ key }) => key === drawn)}
          onRegion={(key, region) => change(key, { region })}
          onStop={stopDrawing}
        />
      )}
      <PreviewDialog
        preview={preview}
        saveText={t('Save')}
        onApply={() => save(form, base.etag).catch(refuse)}
        onClose={() => setPreview(undefined)}
      />
      {conflict && (
        <OutlineConflict
          mine={bodyOf(form)}
          theirs={conflict.outline}
          onKeepMine={() => keepMine(conflict)}
          onUseTheirs={() => {
            setConflict(undefined);
            show(conflict);
          }}
        />
      )}
      {leaving && (
        <UnsavedDialog leaving={leaving}>{t('Your changes to the questions are not saved.')}</UnsavedDialog>
      )}
    </section>
  );
}

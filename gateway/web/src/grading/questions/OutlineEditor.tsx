import { useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { ErrorNotice } from '../../shared/ui/ErrorNotice.tsx';
import { ToolIcon } from '../../shared/ui/toolIcons.tsx';
import type { ItemId } from '../queue/gradingTypes.ts';
import type { SavedOutline } from '../queue/questionTypes.ts';
import { PreviewDialog } from '../rubric/PreviewDialog.tsx';
import { moved } from '../rubric/rubricForm.ts';
import { UnsavedDialog, useLeaving } from '../rubric/UnsavedDialog.tsx';
import { useListDrag } from '../rubric/useListDrag.ts';
import { OutlineConflict } from './OutlineConflict.tsx';
import {
  bodyOf,
  concernsGrades,
  formOf,
  isChanged,
  newQuestion,
  nextLabel,
  type QuestionForm,
  totalOf,
} from './outlineForm.ts';
import { QuestionEditor } from './QuestionEditor.tsx';
import { RegionSheet } from './RegionSheet.tsx';
import { drawButtonId } from './regionMarks.ts';
import { useOutlineChange } from './useOutlineChange.ts';

interface Props {
  item: ItemId;
  saved: SavedOutline;
  /** The signed URL of the question PDF. */
  questionsUrl: string | null;
  onSaved(saved: SavedOutline): void;
}

/** Edits the questions of an item. A change that affects grades is shown before it is saved. */
export function OutlineEditor({ item, saved, questionsUrl, onSaved }: Props) {
  const { t, formatNumber } = useTranslation();
  const edited = useOutlineChange(item, saved, onSaved);
  const { base, form, setForm, setStatusText, preview, conflict } = edited;
  const start = useMemo(() => formOf(base.outline), [base]);
  const [added, setAdded] = useState<string>();
  /** The key of the question whose region is being drawn. */
  const [drawn, setDrawn] = useState<string>();
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

  return (
    <section className="outline-editor" data-has-sheet={questionsUrl !== null || undefined}>
      <form
        className="outline-form"
        aria-label={t('Questions')}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void edited.submit();
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
        <ErrorNotice text={edited.error} />
        <div className="rubric-buttons">
          <BusyButton type="submit" className="button primary" isBusy={edited.isBusy}>
            {concernsGrades(form, base.outline) ? t('Preview changes') : t('Save')}
          </BusyButton>
          <p role="status" className="quiet small">
            {edited.statusText}
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
        onApply={edited.apply}
        onClose={edited.closePreview}
      />
      {conflict && (
        <OutlineConflict
          mine={bodyOf(form)}
          theirs={conflict.outline}
          onKeepMine={() => edited.keepMine(conflict)}
          onUseTheirs={() => edited.takeTheirs(conflict)}
        />
      )}
      {leaving && (
        <UnsavedDialog leaving={leaving}>{t('Your changes to the questions are not saved.')}</UnsavedDialog>
      )}
    </section>
  );
}

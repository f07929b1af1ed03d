import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { Check, Field, LongField, TimeField } from '../../shared/form/Field.tsx';
import { PageForm } from '../../shared/form/PageForm.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { ReleaseDialog } from '../item/ReleaseDialog.tsx';
import type { ItemId } from '../queue/gradingTypes.ts';
import type { DescribedItem } from '../queue/itemQueries.ts';
import { outlineQuery } from '../queue/questionQueries.ts';
import { storedSettings } from './changedSettings.ts';
import { LateFields } from './LateFields.tsx';
import { PdfFields } from './PdfFields.tsx';
import { ReleaseFields } from './ReleaseFields.tsx';
import { ReviewFields } from './ReviewFields.tsx';
import { useSettings } from './useSettings.ts';

interface Props {
  id: ItemId;
  /** The version that the form shows. */
  base: DescribedItem;
  onSaved(saved: DescribedItem): void;
  /** Shows another version instead of the typed values. */
  onRestart(current: DescribedItem): void;
}

export function SettingsForm({ id, base, onSaved, onRestart }: Props) {
  const { t } = useTranslation();
  const { theirs, save, errorOf, statusText, releaseDialog, ...request } = useSettings(id, base, onSaved);
  const { item } = base;
  const isQuiz = id.kind === 'quizzes';
  const stored = storedSettings(item);
  /** The properties that make a field show its stored value. */
  const field = (name: keyof typeof stored, isOptional = true) => ({
    name,
    defaultValue: stored[name],
    error: errorOf(name),
    isClearable: isOptional && stored[name] !== '',
  });
  return (
    <>
      <PageForm
        aria-label={t('Settings')}
        action={t('Save')}
        isPrimary
        statusText={statusText === '' ? '' : t(statusText)}
        onSubmit={(form) => void save(form)}
        {...request}
      >
        {isQuiz ? (
          <Field label={t('Title')} maxLength={255} {...field('title', false)} />
        ) : (
          <LongField label={t('Instructions')} maxLength={10_000} {...field('description')} />
        )}
        <PdfFields key={base.etag} item={item} error={errorOf('file')} />
        {isQuiz && <QuizFields id={id} hasRubric={item.has_rubric} field={field} />}
        <div className="field-pair">
          <TimeField label={t('Opens')} {...field('opens_at')} />
          <TimeField label={t('Closes')} {...field('closes_at')} />
        </div>
        <LateFields late={item.late} field={field} error={errorOf('late')} />
        <ReleaseFields release={item.release} field={field} />
        <ReviewFields field={field} error={errorOf('reviews')} />
        <fieldset className="checks">
          <legend className="field-label">{t('Grading')}</legend>
          <Check label={t('Anonymous grading')} name="anonymous" defaultChecked={item.anonymous} />
          <p className="quiet small">
            {t('Graders see a code instead of the student until the grades are released by a teacher.')}
          </p>
          <FieldError text={errorOf('anonymous')} />
          <Check label={t('Shuffled order')} name="shuffled" defaultChecked={item.order === 'shuffled'} />
          <Check
            label={t('Graders may change the rubric')}
            name="graders_edit_rubric"
            defaultChecked={item.graders_edit_rubric}
          />
        </fieldset>
        <fieldset className="checks">
          <legend className="field-label">{t('Students')}</legend>
          <Check label={t('Published')} name="published" defaultChecked={item.published} />
          <FieldError text={errorOf('published')} />
        </fieldset>
        {theirs && (
          <div className="notice" role="alert">
            <span>{t('Someone else has changed the same settings in the meantime.')}</span>
            <Button className="button" onPress={() => onRestart(theirs)}>
              {t('Show their settings')}
            </Button>
          </div>
        )}
      </PageForm>
      {/* Outside the form: the submit event of the dialog's own form would bubble to it. */}
      {releaseDialog && <ReleaseDialog id={id} {...releaseDialog} />}
    </>
  );
}

function FieldError({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className="field-error" role="alert" dir="auto">
      {text}
    </p>
  );
}

type FieldOf = (
  name: 'total_grade' | 'questions_count' | 'duration_minutes',
  isOptional?: boolean,
) => { name: string; defaultValue: string; error: string | undefined; isClearable: boolean };

interface QuizProps {
  id: ItemId;
  hasRubric: boolean;
  field: FieldOf;
}

function QuizFields({ id, hasRubric, field }: QuizProps) {
  const { t } = useTranslation();
  const outline = useQuery(outlineQuery(id));
  const hasQuestions = (outline.data?.outline.questions.length ?? 0) > 0;
  // The stored value comes from the rubric or the questions.
  const isDerived = hasRubric || hasQuestions;
  const hint = hasQuestions
    ? t('The sum of the questions. Change their points to change it.')
    : t('Set by the rubric.');
  return (
    <>
      <div className="field-pair">
        <Field
          label={t('Out of')}
          inputMode="decimal"
          {...field('total_grade', !isDerived)}
          readOnly={isDerived}
          hint={isDerived ? hint : undefined}
        />
        <Field label={t('Number of questions')} inputMode="numeric" {...field('questions_count')} />
      </div>
      <Field
        label={t('Minutes for an attempt')}
        inputMode="decimal"
        hint={t('The time starts when a student opens the questions.')}
        {...field('duration_minutes')}
      />
    </>
  );
}

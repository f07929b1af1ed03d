import { Field, TimeField } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { bodyOf, storedFields, storedTime } from '../../shared/form/itemFormData.ts';
import { PdfField } from '../../shared/form/PdfField.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { StoredQuiz } from './courseTypes.ts';

const times = ['opens_at', 'closes_at'];
const fields = [
  ...times,
  'title',
  'file',
  'questions_count_of_quiz_pdf',
  'total_grade_for_quiz_pdf',
  'duration_minutes',
];

interface Props {
  courseId: number;
  quiz?: StoredQuiz;
  onSave(form: FormData): Promise<unknown>;
  onClose(): void;
}

/** Creates a quiz or edits an existing one. */
export function QuizDialog({ courseId, quiz, onSave, onClose }: Props) {
  const { t } = useTranslation();
  const before = quiz && {
    title: quiz.title,
    total_grade_for_quiz_pdf: quiz.total_grade === null ? '' : String(quiz.total_grade),
    questions_count_of_quiz_pdf: String(quiz.questions_count ?? ''),
    opens_at: storedTime(quiz.opens_at),
    closes_at: storedTime(quiz.closes_at),
    duration_minutes: String(quiz.duration_minutes ?? ''),
  };
  const stored = storedFields(before);
  const save = (form: FormData) => {
    const body = bodyOf(form, times, before);
    if (!quiz) body.append('course_id', String(courseId));
    return onSave(body);
  };
  const { dialog, errorOf } = useDialogForm(save, onClose, fields);
  return (
    <FormDialog
      title={quiz ? t('Edit the quiz') : t('New quiz')}
      action={quiz ? t('Save') : t('Create')}
      isEdit={quiz !== undefined}
      {...dialog}
    >
      <Field
        label={t('Title')}
        name="title"
        maxLength={255}
        defaultValue={before?.title}
        error={errorOf('title')}
        autoFocus
      />
      <PdfField
        label={quiz?.questions_url ? t('Replace the question PDF') : t('Questions as PDF')}
        isStored={Boolean(quiz?.questions_url)}
        error={errorOf('file')}
      />
      <div className="field-pair">
        <Field
          label={t('Out of')}
          {...stored('total_grade_for_quiz_pdf')}
          inputMode="decimal"
          isClearable={quiz?.has_rubric === false && quiz.total_grade !== null}
          // With a rubric, the stored value comes from the rubric.
          readOnly={quiz?.has_rubric}
          hint={quiz?.has_rubric ? t('Set by the rubric.') : undefined}
          error={errorOf('total_grade_for_quiz_pdf')}
        />
        <Field
          label={t('Number of questions')}
          {...stored('questions_count_of_quiz_pdf')}
          inputMode="numeric"
          error={errorOf('questions_count_of_quiz_pdf')}
        />
      </div>
      <div className="field-pair">
        <TimeField label={t('Opens')} {...stored('opens_at')} error={errorOf('opens_at')} />
        <TimeField label={t('Closes')} {...stored('closes_at')} error={errorOf('closes_at')} />
      </div>
      <Field
        label={t('Minutes for an attempt')}
        {...stored('duration_minutes')}
        inputMode="decimal"
        hint={t('The time starts when a student opens the questions.')}
        error={errorOf('duration_minutes')}
      />
    </FormDialog>
  );
}

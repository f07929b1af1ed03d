import { Check, Field, TimeField } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { bodyOf } from '../../shared/form/itemFormData.ts';
import { PdfField } from '../../shared/form/PdfField.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { createQuiz } from '../records/teachingRequests.ts';

interface Props {
  courseId: number;
  onCreated(work: Promise<unknown>): Promise<void>;
  onClose(): void;
}

const times = ['opens_at', 'closes_at'];
const fields = [...times, 'title', 'file', 'questions_count', 'total_grade', 'duration_minutes'];

/** Creates a quiz, as a draft unless it is published at once. */
export function NewQuizDialog({ courseId, onCreated, onClose }: Props) {
  const { t } = useTranslation();
  const save = (form: FormData) => {
    const body = bodyOf(form, times);
    body.append('course_id', String(courseId));
    return onCreated(createQuiz(body));
  };
  const { dialog, errorOf } = useDialogForm(save, onClose, fields);
  return (
    <FormDialog title={t('New quiz')} action={t('Create')} {...dialog}>
      <Field label={t('Title')} name="title" maxLength={255} error={errorOf('title')} autoFocus />
      <PdfField label={t('Questions as PDF')} isStored={false} error={errorOf('file')} />
      <div className="field-pair">
        <Field label={t('Out of')} name="total_grade" inputMode="decimal" error={errorOf('total_grade')} />
        <Field
          label={t('Number of questions')}
          name="questions_count"
          inputMode="numeric"
          error={errorOf('questions_count')}
        />
      </div>
      <div className="field-pair">
        <TimeField label={t('Opens')} name="opens_at" error={errorOf('opens_at')} />
        <TimeField label={t('Closes')} name="closes_at" error={errorOf('closes_at')} />
      </div>
      <Field
        label={t('Minutes for an attempt')}
        name="duration_minutes"
        inputMode="decimal"
        hint={t('The time starts when a student opens the questions.')}
        error={errorOf('duration_minutes')}
      />
      <Check label={t('Publish now')} name="published" value="true" />
      <p className="quiet small">{t('Students do not see a draft until you publish it.')}</p>
    </FormDialog>
  );
}

import { useState } from 'react';
import { ApiError } from '../../shared/api/apiError.ts';
import { Check, Field } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { EveryoneRow, ItemId } from '../queue/gradingTypes.ts';
import { handInFor } from './everyoneRequests.ts';

interface Props {
  item: ItemId;
  row: EveryoneRow;
  after(request: Promise<void>): Promise<void>;
  onClose(): void;
}

/** Hands in a file for a student, or a submission on paper. It replaces an existing one only on request. */
export function HandInDialog({ item, row, after, onClose }: Props) {
  const { t } = useTranslation();
  const [exists, setExists] = useState(row.submission_id !== null);
  const isQuiz = item.kind === 'quizzes';
  const name = isQuiz ? 'file' : 'files';
  const save = async (form: FormData) => {
    const body = new FormData();
    body.append('student_id', String(row.student.id));
    for (const file of form.getAll(name))
      if (file instanceof File && (file.size > 0 || file.name !== '')) body.append(name, file);
    if (form.has('replace')) body.append('replace', '1');
    try {
      await after(handInFor(item, body));
    } catch (error) {
      if (error instanceof ApiError && error.message === 'Submission exists') setExists(true);
      throw error;
    }
  };
  const { dialog, errorOf } = useDialogForm(save, onClose, ['file', 'files', 'student_id']);
  return (
    <FormDialog title={t('Hand in for {name}', { name: row.student.name })} action={t('Hand in')} {...dialog}>
      <Field
        label={isQuiz ? t('Answer sheet') : t('Files')}
        name={name}
        type="file"
        multiple={!isQuiz}
        {...(isQuiz ? { accept: 'application/pdf,.pdf' } : {})}
        hint={t('Without a file, the submission is graded from paper.')}
        error={errorOf(name) ?? errorOf('student_id')}
      />
      {exists && <Check label={t('Replace what was handed in')} name="replace" />}
    </FormDialog>
  );
}

import { Field, LongField } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useSubmission } from '../../shared/form/useSubmission.ts';
import { useWords } from '../../shared/language/text.ts';
import type { Course } from './courseTypes.ts';

interface Props {
  course?: Course;
  onSave(fields: { title: string; description: string | null }): Promise<unknown>;
  onClose(): void;
}

/** Creates or changes a course. */
export function CourseDialog({ course, onSave, onClose }: Props) {
  const { t } = useWords();
  const { isBusy, mistake, mistakeOf, submit } = useSubmission(['title', 'description']);
  const send = async (form: FormData) => {
    const title = String(form.get('title')).trim();
    const description = String(form.get('description')).trim() || null;
    if (await submit(() => onSave({ title, description }))) onClose();
  };
  return (
    <FormDialog
      title={course ? t('Edit the course') : t('New course')}
      action={course ? t('Save') : t('Create')}
      isBusy={isBusy}
      isEdit={course !== undefined}
      mistake={mistake}
      onSubmit={(form) => void send(form)}
      onClose={onClose}
    >
      <Field
        label={t('Title')}
        name="title"
        maxLength={255}
        defaultValue={course?.title}
        mistake={mistakeOf('title')}
        autoFocus
      />
      <LongField
        label={t('Description')}
        name="description"
        maxLength={10_000}
        defaultValue={course?.description ?? ''}
        isClearable={Boolean(course?.description)}
        mistake={mistakeOf('description')}
      />
    </FormDialog>
  );
}

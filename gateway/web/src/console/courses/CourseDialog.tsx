import { Field, LongField } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useFormRequest } from '../../shared/form/useFormRequest.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Course } from './courseTypes.ts';

interface Props {
  course?: Course;
  onSave(fields: { title: string; description: string | null }): Promise<unknown>;
  onClose(): void;
}

/** Creates or changes a course. */
export function CourseDialog({ course, onSave, onClose }: Props) {
  const { t } = useTranslation();
  const { isBusy, error, errorOf, submit } = useFormRequest(['title', 'description']);
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
      error={error}
      onSubmit={(form) => void send(form)}
      onClose={onClose}
    >
      <Field
        label={t('Title')}
        name="title"
        maxLength={255}
        defaultValue={course?.title}
        error={errorOf('title')}
        autoFocus
      />
      <LongField
        label={t('Description')}
        name="description"
        maxLength={10_000}
        defaultValue={course?.description ?? ''}
        isClearable={Boolean(course?.description)}
        error={errorOf('description')}
      />
    </FormDialog>
  );
}

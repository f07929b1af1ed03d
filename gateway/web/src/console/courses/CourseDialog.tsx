import { Field, LongField } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
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
  const save = (form: FormData) => {
    const title = String(form.get('title')).trim();
    const description = String(form.get('description')).trim() || null;
    return onSave({ title, description });
  };
  const { dialog, errorOf } = useDialogForm(save, onClose, ['title', 'description']);
  return (
    <FormDialog
      title={course ? t('Edit the course') : t('New course')}
      action={course ? t('Save') : t('Create')}
      isEdit={course !== undefined}
      {...dialog}
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

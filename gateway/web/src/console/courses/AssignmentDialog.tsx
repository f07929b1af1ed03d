import { useState } from 'react';
import { Button } from 'react-aria-components';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { Field, LongField, TimeField } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useFormRequest } from '../../shared/form/useFormRequest.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { fieldTimeOf, momentOf } from '../../shared/time/moment.ts';
import { removeAssignment, setAssignment } from './courseRequests.ts';
import type { CourseClass, DescribedItem } from './courseTypes.ts';
import { bodyOf } from './itemFormData.ts';

interface Props {
  each: CourseClass;
  assignment: DescribedItem | undefined;
  onChanged(): Promise<void>;
  onClose(): void;
}

const fields = ['file', 'assignment_deadline', 'assignment_description'];

/** Creates, changes or removes the homework of a class. */
export function AssignmentDialog({ each, assignment, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  const { isBusy, error, errorOf, submit } = useFormRequest(fields);
  const [isRemoving, setRemoving] = useState(false);
  const before = assignment && {
    assignment_deadline: assignment.closes_at === null ? '' : fieldTimeOf(momentOf(assignment.closes_at)),
    assignment_description: assignment.description ?? '',
  };
  /** Field properties that show the stored value. */
  const stored = (name: keyof NonNullable<typeof before>) => ({
    name,
    defaultValue: before?.[name],
    isClearable: (before?.[name] ?? '') !== '',
  });
  const send = async (form: FormData) => {
    const body = bodyOf(form, ['assignment_deadline'], before);
    // A form must have at least one field.
    if (body.keys().next().done) body.append('assignment_description', '');
    if (await submit(() => setAssignment(each.id, body).then(onChanged))) onClose();
  };

  if (isRemoving)
    return (
      <ConfirmDialog
        title={t('Remove the homework of {title}?', { title: each.title })}
        action={t('Remove the homework')}
        onConfirm={() => removeAssignment(each.id).then(onChanged)}
        onClose={onClose}
      >
        <p>{t('The text and the PDF are removed. Submissions and their grades are kept.')}</p>
      </ConfirmDialog>
    );
  return (
    <FormDialog
      title={t('Homework of {title}', { title: each.title })}
      action={t('Save')}
      isBusy={isBusy}
      isEdit={assignment !== undefined}
      error={error}
      onSubmit={(form) => void send(form)}
      onClose={onClose}
    >
      <LongField
        label={t('Instructions')}
        {...stored('assignment_description')}
        maxLength={10_000}
        error={errorOf('assignment_description')}
      />
      <Field
        label={assignment?.questions_url ? t('Replace the PDF') : t('PDF')}
        name="file"
        type="file"
        accept="application/pdf,.pdf"
        hint={
          assignment?.questions_url
            ? t('The current one stays until another is chosen.')
            : t('Up to 25 MB. You can add it later.')
        }
        error={errorOf('file')}
      />
      <TimeField
        label={t('Deadline')}
        {...stored('assignment_deadline')}
        error={errorOf('assignment_deadline')}
      />
      {assignment && (
        <div>
          <Button className="button danger" onPress={() => setRemoving(true)}>
            {t('Remove the homework')}
          </Button>
        </div>
      )}
    </FormDialog>
  );
}

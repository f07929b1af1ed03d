import { useState } from 'react';
import { Button } from 'react-aria-components';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { LongField, TimeField } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { bodyOf, storedFields, storedTime } from '../../shared/form/itemFormData.ts';
import { PdfField } from '../../shared/form/PdfField.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { removeAssignment, setAssignment } from './courseRequests.ts';
import type { CourseClass, StoredAssignment } from './courseTypes.ts';

interface Props {
  each: CourseClass;
  assignment: StoredAssignment | undefined;
  onChanged(): Promise<void>;
  onClose(): void;
}

const fields = ['file', 'assignment_deadline', 'assignment_description'];

/** Creates, changes or removes the homework of a class. */
export function AssignmentDialog({ each, assignment, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  const [isRemoving, setRemoving] = useState(false);
  const before = assignment && {
    assignment_deadline: storedTime(assignment.closes_at),
    assignment_description: assignment.description ?? '',
  };
  const stored = storedFields(before);
  const save = (form: FormData) => {
    const body = bodyOf(form, ['assignment_deadline'], before);
    // A form must have at least one field.
    if (body.keys().next().done) body.append('assignment_description', '');
    return setAssignment(each.id, body).then(onChanged);
  };
  const { dialog, errorOf } = useDialogForm(save, onClose, fields);

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
      isEdit={assignment !== undefined}
      {...dialog}
    >
      <LongField
        label={t('Instructions')}
        {...stored('assignment_description')}
        maxLength={10_000}
        error={errorOf('assignment_description')}
      />
      <PdfField
        label={assignment?.questions_url ? t('Replace the PDF') : t('PDF')}
        isStored={Boolean(assignment?.questions_url)}
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
